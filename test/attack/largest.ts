/** A study at its maximum size, written directly into the database. */
import mongoose from 'mongoose';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { surveyRecord } from '../make.ts';
import type { Person } from '../people.ts';

const { ObjectId } = mongoose.Types;
type Id = mongoose.Types.ObjectId;
type Doc = Record<string, unknown>;

const collection = (name: string) => mongoose.connection.collection(name);
const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

/** A hundred questions, each with the longest allowed answer: a megabyte. */
const QUESTIONS = many(100, (at) => `q${at}`);
export const WIDE = {
  name: 'Wide',
  definition: {
    elements: [
      { type: 'text', inputType: 'number', name: 'degree' },
      ...QUESTIONS.map((name) => ({ type: 'comment', name })),
    ],
  },
  networkSizeQuestion: 'degree',
};
export const answers = (mark: string, bytes = 1_000_000): Doc => ({
  degree: 3,
  ...Object.fromEntries(QUESTIONS.map((name) => [name, mark.repeat(bytes / 100)])),
});

/** A definition of a megabyte, with many small elements. */
export const largeDefinition = (mark: string) => ({
  elements: [
    { type: 'text', inputType: 'number', name: 'degree' },
    ...many(400, (at) => ({ type: 'text', name: `n${at}`, title: mark.repeat(2_400) })),
  ],
});

const plainCode = (n: number) =>
  generateCode((bytes) => Uint8Array.from({ length: bytes }, (_, at) => Math.floor(n / 32 ** at) % 32));

export interface Largest {
  site: string;
  wide: string;
  /** With ten second versions of a megabyte. */
  copied: string;
  /** Changed twenty-five times, each time all answers. */
  changed: string;
  batch: string;
  seeds: string[];
  /** Of the tree with 5,000 interviews. */
  root: string;
  questionnaire: string;
  /** Of 500 outcomes with four levels each. */
  run: string;
  count: string;
  /** With 5,000 unused codes. */
  newBatch(): Promise<string>;
  survey(fields?: Doc): Promise<string>;
  code(fields: Doc): Promise<string>;
  into(name: string, doc: Doc): Promise<string>;
}

/** Some records lack fields that nothing here reads, or have dates that their model lacks. */
const PARTIAL = { bypassDocumentValidation: true };

export async function fill(volunteer: Person, site: string): Promise<Largest> {
  const now = new Date();
  const [here, me] = [new ObjectId(site), new ObjectId(volunteer.id)];
  let codes = 0;
  const insert = async (name: string, records: Doc[]) => {
    const isOfRound = ['seeds', 'incentives', 'counts'].includes(name);
    const docs = isOfRound ? records.map((one) => ({ ...one, round: FIRST_ROUND_ID })) : records;
    for (let at = 0; at < docs.length; at += 20_000)
      await collection(name).insertMany(docs.slice(at, at + 20_000), PARTIAL);
  };
  const into = async (name: string, doc: Doc) => {
    const _id = new ObjectId();
    const record = { _id, createdAt: now, updatedAt: now, deletedAt: null, ...doc };
    await collection(name).insertOne(record, PARTIAL);
    return _id.toHexString();
  };
  const questionnaireOf = (version: number, name: string, definition: object): Doc => ({
    ...{ name, version, definition, networkSizeQuestion: 'degree', takesPartIf: null, active: false },
    ...{ createdBy: null, createdAt: new Date(now.getTime() + version), deletedAt: null },
  });
  const wide = await into('questionnaires', questionnaireOf(1, WIDE.name, WIDE.definition));
  const surveyOf = (fields: Doc = {}): Doc => {
    const of = { questionnaire: new ObjectId(wide), responses: { degree: 3 }, networkSize: 3 };
    return { ...surveyRecord({ ...of, location: here, createdBy: me }, now), ...fields };
  };
  const codeOf = (fields: Doc): Doc => ({
    ...{ code: plainCode(codes++), state: 'LIVE', seed: null, survey: null, reservedBy: null, batch: null },
    ...{ redeemedBy: null, redeemedAt: null, validFrom: null, expiresAt: null, voidedAt: null },
    ...{ voidReason: null, createdAt: now },
    ...fields,
  });

  const longest = (text: string, max: number) => text.padEnd(max, ' and so on');
  await insert(
    'locations',
    many(5_000, (at) => ({
      ...{ name: longest(`Site ${at} `, 100), address: longest('1 Main Street', 300), type: 'SHELTER' },
      ...{ coordinates: { latitude: 47.6062, longitude: -122.3321 }, createdBy: null },
      ...{ createdAt: now, updatedAt: now, deletedAt: null },
    })),
  );
  await insert(
    'questionnaires',
    many(20, (at) => questionnaireOf(at + 1, 'Large', largeDefinition('x'))),
  );
  await insert(
    'users',
    many(200, (at) => ({
      ...{ firstName: longest('A', 100), lastName: longest('B', 100), phone: `+1206999${1000 + at}` },
      ...{ email: null, role: 'VOLUNTEER', approvalStatus: 'APPROVED', approvedBy: null, location: here },
      permissions: many(50, () => ({
        action: 'read',
        subject: 'Survey',
        conditions: ['IS_CREATED_BY_SELF'],
      })),
      ...{ createdBy: null, createdAt: now, updatedAt: now, deletedAt: null },
    })),
  );
  const flags = many(100, () => ({ code: 'ISSUED_CODE_REFUSED', referralCode: 'x'.repeat(100), at: now }));
  const later = (at: number) => new Date(now.getTime() + 60_000 + at);
  await insert(
    'surveys',
    many(200, (at) =>
      surveyOf({
        createdAt: later(at),
        flags,
        issuedCodes: many(100, plainCode),
        responses: answers('y', at < 20 ? 1_000_000 : 1_000),
      }),
    ),
  );
  const copies = many(10, (at) => ({ hash: `h${at}`, copy: { responses: answers('z') } }));
  const survey = async (fields: Doc = {}) =>
    String((await collection('surveys').insertOne(surveyOf(fields))).insertedId);
  const copied = await survey({
    responses: answers('y'),
    flags: copies.map(({ hash }) => ({ code: 'SECOND_COPY', referralCode: null, at: now, copyHash: hash })),
  });
  await insert(
    'surveycopies',
    copies.map((one) => ({ ...one, survey: new ObjectId(copied), createdAt: now })),
  );
  const changed = await survey();
  const changes = (mark: string) =>
    QUESTIONS.map((name) => ({
      path: `responses.${name}`,
      before: mark.repeat(10_000),
      after: mark.repeat(10_000),
    }));
  await insert(
    'auditevents',
    many(25, (at) => ({
      ...{ by: me, action: 'update', subject: 'Survey', record: new ObjectId(changed) },
      ...{ changes: changes('w'), createdAt: later(at) },
    })),
  );

  const figures = {
    estimate: 1 / 3,
    standardError: 0.05,
    low: 0.2,
    high: 0.4,
    designEffect: 3,
    effectiveSize: 90,
  };
  const levels = many(4, (at) => ({
    ...{ value: `level ${at}`, count: 50, ...figures, dropped: 0, inverse: { low: 2.5, high: 5 } },
  }));
  const outcomes = many(500, (at) => ({ name: longest(`outcome ${at}`, 60), levels }));
  const request = { outcome: null, method: 'TREE', estimator: 'RDS_II', samples: 1_000, confidence: 0.95 };
  const facts = { n: 5_201, seeds: 1, orphans: 0, waves: 12, sizeMissing: 0, sizeZero: 0, largestChain: 1 };
  const runs = many(40, (at) => ({
    ...{ _id: new ObjectId(), state: 'DONE', progress: 1, request, createdBy: me, createdAt: later(at) },
    ...{ finishedAt: later(at), error: null, isKept: false, filters: '', randomSeed: 1 },
    result: {
      ...{
        asOf: now,
        sample: facts,
        outcomes,
        randomSeed: 1,
        dataHash: 'x'.repeat(64),
        version: '1',
        seconds: 3,
      },
    },
  }));
  await insert('analysisruns', runs);
  const counts = many(200, () => ({
    ...{ _id: new ObjectId(), name: longest('Count', 100), outcome: 'location', value: site, known: 1_000 },
    ...{ knownLow: 900, knownHigh: 1_100, source: longest('source', 1_000), asOf: '2027-01-28' },
    ...{ definition: longest('definition', 5_000), location: null, from: null, to: null },
    ...{ run: runs[0]?._id, createdBy: me, createdAt: now, updatedAt: now, deletedAt: null },
  }));
  await insert('counts', counts);

  const [batch, root] = [new ObjectId(), new ObjectId()];
  const batches = many(200, (at) => ({
    ...{ _id: at === 0 ? batch : new ObjectId(), count: 5_000, location: here, note: longest('note', 1_000) },
    ...{ createdBy: null, createdAt: now },
  }));
  await insert('codebatches', batches);
  await insert(
    'referralcodes',
    many(5_000, () => codeOf({ state: 'RESERVED', batch })),
  );
  const planned = many(1_000, () => codeOf({ seed: new ObjectId() }));
  await insert('referralcodes', planned);
  await insert(
    'seeds',
    planned.map(({ seed, code }) => ({
      ...{ _id: seed, referralCode: code, kind: 'PLANNED', location: here, note: longest('note', 1_000) },
      ...{ survey: null, createdBy: me, createdAt: now, deletedAt: null },
    })),
  );
  await insert('seeds', [
    { _id: root, referralCode: 'none', kind: 'WALK_IN', location: here, createdAt: now, deletedAt: null },
  ]);
  const nodes: Id[] = many(5_001, () => new ObjectId());
  await insert(
    'surveys',
    nodes.map((_id, at) => {
      const createdAt = new Date(now.getTime() - 3 * 86_400_000 - at * 60_000);
      const recruiter = at === 0 ? null : nodes[(at - 1) >> 1];
      return surveyOf({
        _id,
        seed: root,
        recruiter,
        wave: Math.floor(Math.log2(at + 1)),
        createdAt,
        heldAt: createdAt,
      });
    }),
  );
  return {
    site,
    wide,
    copied,
    run: String(runs[0]?._id),
    count: String(counts[0]?._id),
    changed,
    batch: String(batch),
    seeds: planned.map(({ seed }) => String(seed)),
    root: String(root),
    questionnaire: String((await collection('questionnaires').findOne({ name: 'Large' }))?._id),
    survey,
    newBatch: async () => {
      const batchId = await into('codebatches', {
        count: 5_000,
        location: here,
        note: null,
        createdBy: null,
      });
      await insert(
        'referralcodes',
        many(5_000, () => codeOf({ state: 'RESERVED', batch: new ObjectId(batchId) })),
      );
      return batchId;
    },
    code: async (fields) => {
      const codeRecord = codeOf(fields);
      await collection('referralcodes').insertOne(codeRecord);
      return String(codeRecord.code);
    },
    into,
  };
}
