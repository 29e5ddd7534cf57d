/**
 * A study of a given size, written straight into the collections in the shape that the service gives its records, and
 * then indexed as the service does it. The same numbers give the same study.
 */
import mongoose, { type Model, type Types } from 'mongoose';
import { generateCode } from '../src/coupons/referral-codes/code.ts';
import { ReferralCodeModel } from '../src/coupons/referral-codes/model.ts';
import { SeedModel } from '../src/coupons/seeds/model.ts';
import { SurveyModel } from '../src/interviews/surveys/model.ts';
import { AuditEventModel } from '../src/platform/audit/model.ts';
import { MIGRATIONS } from '../src/platform/db/migrations/all.ts';
import { QuestionnaireModel } from '../src/questionnaires/model.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/shipped/default-questionnaire.ts';
import { LocationModel } from '../src/study/locations/model.ts';
import { UserModel } from '../src/study/users/model.ts';
import type { Role } from '../src/study/users/schema.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { surveyRecord } from '../test/make.ts';
import { personRecord } from './people.ts';

const { ObjectId } = mongoose.Types;
const MODELS: Model<never>[] = [
  AuditEventModel,
  LocationModel,
  QuestionnaireModel,
  ReferralCodeModel,
  SeedModel,
  SurveyModel,
  UserModel,
] as never;
const BATCH = 2_000;
const SITES = 20;
const VOLUNTEERS = 100;
const MANAGERS = 16;
/** Surveys of today do not grow with the study; half of them are at the first site. */
const TODAY = 400;
const STUDY_DAYS = 120;
const HOUR = 3_600_000;

export interface Study {
  surveys: number;
  sites: Types.ObjectId[];
  superAdmin: Types.ObjectId;
  /** All at the first site. */
  managers: Types.ObjectId[];
  volunteers: Types.ObjectId[];
  /** Drawn from the whole study. */
  someSurveys: string[];
  someCodes: string[];
  /** Live codes that nobody has redeemed. */
  freeCodes: string[];
}

/** The n-th code: an odd factor modulo 2^35 visits each payload once. */
function codeOf(n: number): string {
  const payload = (n * 1_000_000_007) % 2 ** 35;
  return generateCode((bytes) =>
    Uint8Array.from({ length: bytes }, (_, i) => Math.floor(payload / 32 ** i) % 32),
  );
}

export async function writeStudy(db: mongoose.mongo.Db, surveys: number, now: Date): Promise<Study> {
  const study = await writeUsersAndSites(db, surveys, now);
  const { _id: questionnaire } = await writeQuestionnaire(db, now);
  const seeds = Math.max(10, Math.floor(surveys / 100));
  const ids = Array.from({ length: surveys }, () => new ObjectId());
  const seedIds = Array.from({ length: seeds }, () => new ObjectId());
  const waves = new Uint8Array(surveys);
  const seedOf = new Uint32Array(surveys);
  const pending: Promise<unknown>[] = [];

  for (let from = 0; from < surveys; from += BATCH) {
    const batch = {
      surveys: [] as object[],
      codes: [] as object[],
      seeds: [] as object[],
      events: [] as object[],
    };
    for (let i = from; i < Math.min(from + BATCH, surveys); i++) {
      const id = ids[i] as Types.ObjectId;
      // The first ones redeem the seeds' codes, each further one a code of an earlier one: two recruits each.
      const recruiter = i < seeds ? null : Math.floor((i - seeds) / 2);
      waves[i] = recruiter === null ? 0 : (waves[recruiter] ?? 0) + 1;
      seedOf[i] = recruiter === null ? i : (seedOf[recruiter] ?? 0);
      const createdAt = momentOf(i, surveys, now);
      const seed = seedIds[seedOf[i] ?? 0] as Types.ObjectId;
      const location = study.sites[siteOf(i, surveys)] as Types.ObjectId;
      const createdBy = study.volunteers[(i * 7) % VOLUNTEERS] as Types.ObjectId;
      const referralCode = codeOf(recruiter === null ? i : seeds + 3 * recruiter + ((i - seeds) % 2));
      const issuedCodes = [0, 1, 2].map((k) => codeOf(seeds + 3 * i + k));
      const networkSize = (i * 13) % 60;
      const responses = { ...EXAMPLE_RESPONSES, networkSize };
      const place = {
        referralCode,
        seed,
        recruiter: recruiter === null ? null : (ids[recruiter] as Types.ObjectId),
        wave: waves[i] ?? 0,
      };
      const interview = { questionnaire, responses, networkSize, location, createdBy };
      batch.surveys.push(surveyRecord({ _id: id, ...place, issuedCodes, ...interview }, createdAt));
      issuedCodes.forEach((code, k) => {
        const redeemedBy = k < 2 ? (ids[seeds + 2 * i + k] ?? null) : null;
        const origin = {
          survey: id,
          chain: seed,
          wave: waves[i],
          location,
          handedOutAt: createdAt,
          ...(redeemedBy ? { daysOut: 0 } : {}),
        };
        batch.codes.push({ ...codeRecord(code, createdAt, redeemedBy), ...origin });
      });
      if (recruiter === null) {
        batch.codes.push({ ...codeRecord(referralCode, createdAt, id), seed });
        batch.seeds.push({
          _id: seed,
          referralCode,
          kind: 'PLANNED',
          location,
          note: null,
          survey: id,
          createdBy,
          createdAt,
          deletedAt: null,
        });
      }
      batch.events.push({
        _id: new ObjectId(),
        by: createdBy,
        action: 'create',
        subject: 'Survey',
        record: id,
        location,
        changes: [],
        createdAt,
      });
    }
    await Promise.all(pending.splice(0));
    pending.push(
      insert(db, SurveyModel, batch.surveys),
      insert(db, ReferralCodeModel, batch.codes),
      insert(db, SeedModel, batch.seeds),
      insert(db, AuditEventModel, batch.events),
    );
  }
  await Promise.all(pending);
  await makeIndexes(db);
  // In the shape of this version: nothing is left to bring up to date.
  await db
    .collection<{ _id: string }>('migrations')
    .insertMany(MIGRATIONS.map(({ name }) => ({ _id: name, createdAt: now })));

  const draw = (count: number, pick: (n: number) => string) =>
    Array.from({ length: count }, (_, k) => pick(Math.floor((k * surveys) / count)));
  const free = surveys - Math.floor((surveys - seeds) / 2) - 1;
  return {
    ...study,
    someSurveys: draw(Math.min(2_000, surveys), (i) => String(ids[i])),
    someCodes: draw(Math.min(2_000, surveys), (i) => codeOf(seeds + 3 * i + (i % 3))),
    freeCodes: Array.from({ length: Math.min(free, 20_000) }, (_, k) =>
      codeOf(seeds + 3 * (surveys - 1 - Math.floor((k * free) / Math.min(free, 20_000))) + 2),
    ),
  };
}

function momentOf(i: number, surveys: number, now: Date): Date {
  const fromEnd = surveys - i;
  if (fromEnd <= TODAY) return new Date(now.getTime() - (fromEnd * 6 * HOUR) / TODAY);
  const before = (fromEnd - TODAY) / Math.max(1, surveys - TODAY);
  return new Date(now.getTime() - 24 * HOUR - before * STUDY_DAYS * 24 * HOUR);
}

function siteOf(i: number, surveys: number): number {
  if (surveys - i <= TODAY && i % 2 === 0) return 0;
  return (i * 11) % SITES;
}

function codeRecord(code: string, createdAt: Date, redeemedBy: Types.ObjectId | null): object {
  return {
    _id: new ObjectId(),
    code,
    state: redeemedBy ? 'USED' : 'LIVE',
    seed: null,
    survey: null,
    reservedBy: null,
    batch: null,
    redeemedBy,
    redeemedAt: redeemedBy && createdAt,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
    createdAt,
  };
}

async function writeUsersAndSites(db: mongoose.mongo.Db, surveys: number, now: Date) {
  const createdAt = new Date(now.getTime() - (STUDY_DAYS + 2) * 24 * HOUR);
  const dates = { createdAt, updatedAt: createdAt, deletedAt: null };
  const sites = Array.from({ length: SITES }, (_, i) => ({
    _id: new ObjectId(),
    name: `Site ${String(i + 1).padStart(2, '0')}`,
    address: `${i + 1} Main Street`,
    type: 'SHELTER',
    coordinates: null,
    createdBy: null,
    ...dates,
  }));
  let number = 0;
  const person = (role: Role) => {
    number += 1;
    const phone = `+1206${5_550_000 + number}`;
    const location = sites[0]?._id ?? null;
    return personRecord(
      { firstName: 'Field', lastName: `Worker ${number}`, role, phone, location },
      createdAt,
    );
  };
  const volunteers = Array.from({ length: VOLUNTEERS }, () => person('VOLUNTEER'));
  const managers = Array.from({ length: MANAGERS }, () => person('MANAGER'));
  const superAdmin = person('SUPER_ADMIN');
  await insert(db, LocationModel, sites);
  await insert(db, UserModel, [...volunteers, ...managers, superAdmin]);
  const idsOf = (records: { _id: Types.ObjectId }[]) => records.map((one) => one._id);
  return {
    surveys,
    sites: idsOf(sites),
    superAdmin: superAdmin._id,
    managers: idsOf(managers),
    volunteers: idsOf(volunteers),
  };
}

async function writeQuestionnaire(db: mongoose.mongo.Db, now: Date) {
  const questionnaire = {
    _id: new ObjectId(),
    ...DEFAULT_QUESTIONNAIRE,
    version: 1,
    active: true,
    createdBy: null,
    createdAt: now,
    deletedAt: null,
  };
  await insert(db, QuestionnaireModel, [questionnaire]);
  return questionnaire;
}

async function insert(
  db: mongoose.mongo.Db,
  model: { collection: { collectionName: string } },
  records: object[],
) {
  if (records.length === 0) return;
  await db.collection(model.collection.collectionName).insertMany(records, { ordered: false });
}

/** The service's own indexes. After the data, all of a collection in one scan, which is much faster. */
async function makeIndexes(db: mongoose.mongo.Db): Promise<void> {
  for (const model of MODELS) {
    const indexes = model.schema.indexes().map(([key, options]) => ({ key, ...(options as object) }));
    if (indexes.length > 0)
      await db.collection(model.collection.collectionName).createIndexes(indexes as never);
  }
}
