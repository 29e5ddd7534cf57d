/** Stores the cards in a vendor's file: all of them, or none if a line is invalid or repeats another card. */
import { setImmediate as turn } from 'node:timers/promises';
import mongoose from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { parseOrProblem } from '../../platform/http/bodies/input-file.ts';
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { dayBounds, isoDateAt } from '../../platform/lib/day.ts';
import { keyedHash, sealText } from '../../platform/lib/sealed-text.ts';
import { parseCsv, rowsByColumnName } from '../../platform/lib/text/csv.ts';
import { decodeText } from '../../platform/lib/text/decode-text.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { IncentiveSettings } from '../../study/settings/incentives.ts';
import { STUDY_ID, StudyModel } from '../../study/settings/model.ts';
import { CardModel, type CardRecord } from './model.ts';
import { CARD_COLUMNS, MAX_CARDS_PER_IMPORT } from './schema.ts';

interface CardLine {
  line: number;
  number: string | null;
  pin: string | null;
  link: string | null;
  amount: string;
  currency: string;
  expiresOn: string | null;
}

interface CardImportContext extends Author {
  contactKey: string;
  /** The study's time zone. */
  zone: string;
}

const tooMany = () => invalidFieldProblem('', 'TOO_MANY', { count: MAX_CARDS_PER_IMPORT });

/** Other requests get a turn after this many. */
const CARDS_PER_TURN = 50;

/** Returns the number of stored cards. */
export async function importCards(bytes: Uint8Array, author: CardImportContext): Promise<number> {
  const { contactKey, zone, by, now, deadline } = author;
  const lines = readLines(bytes);
  if (lines.length === 0) throw invalidFieldProblem('', 'EMPTY');
  if (lines.length > MAX_CARDS_PER_IMPORT) throw tooMany();
  const today = isoDateAt(now, zone);
  const records: CardRecord[] = [];
  const errors: FieldError[] = [];
  for (const [at, one] of lines.entries()) {
    if (at > 0 && at % CARDS_PER_TURN === 0) await turn();
    records.push(recordOf(one, contactKey, now));
    errors.push(...faultsOf(one, today));
  }
  return await inTransaction(async (session) => {
    const all = records.flatMap(({ hashes }) => hashes);
    const storedCards = await CardModel.collection
      .find({ hashes: { $in: all } }, { session, projection: { hashes: 1 } })
      .toArray();
    const repeated = duplicateErrors(lines, records, new Set(storedCards.flatMap(({ hashes }) => hashes)));
    const allErrors = [...errors, ...repeated];
    if (allErrors.length > 0) throw problem('VALIDATION_ERROR', { errors: allErrors });
    await CardModel.collection.insertMany(records, { session });
    const changes = [{ path: 'cardsImported', before: null, after: records.length }];
    // Tells phones that there are cards.
    const isNew = { _id: STUDY_ID, giftCards: { $ne: true } };
    await StudyModel.collection.updateOne(isNew, { $set: { giftCards: true } }, { session });
    await audit(session, { by, now }, { action: 'update', subject: 'Study', record: STUDY_ID, changes });
    return records.length;
  }, deadline);
}

/** Includes the heading and empty lines, so that a file that is too long isn't parsed. */
const MAX_LINES = 2 * MAX_CARDS_PER_IMPORT;

function readLines(bytes: Uint8Array): CardLine[] {
  const rows = parseOrProblem(() => {
    const text = decodeText(bytes);
    if ((text.match(/\r\n|\r|\n/g)?.length ?? 0) > MAX_LINES) throw tooMany();
    return rowsByColumnName(parseCsv(text), { known: CARD_COLUMNS, needed: ['amount', 'currency'] });
  });
  return rows.map(({ line, cells }) => {
    const cell = (name: (typeof CARD_COLUMNS)[number]) => cells.get(name)?.trim() || null;
    const fields = { number: cell('number'), pin: cell('pin'), link: cell('link') };
    const currency = cell('currency')?.toUpperCase() ?? '';
    return { line, ...fields, amount: cell('amount') ?? '', currency, expiresOn: cell('expiresOn') };
  });
}

const MAX_LENGTHS = { number: 64, pin: 32, link: 500 };

function faultsOf({ line, ...card }: CardLine, today: string): FieldError[] {
  const at = (field: string) => `lines.${line}.${field}`;
  const { number, link, amount, currency, expiresOn } = card;
  const errors: FieldError[] = [];
  if (number === null && link === null) errors.push(fieldError(at('number'), 'CARD_WITHOUT_NUMBER'));
  for (const [field, count] of Object.entries(MAX_LENGTHS))
    if ((card[field as keyof typeof MAX_LENGTHS]?.length ?? 0) > count)
      errors.push(fieldError(at(field), 'AT_MOST', { count }));
  if (link !== null && !isLink(link)) errors.push(fieldError(at('link'), 'NOT_LINK'));
  const money = IncentiveSettings.safeParse({ currency, interview: amount });
  for (const { path } of money.error?.issues ?? []) {
    if (path[0] === 'currency') errors.push(fieldError(at('currency'), 'NOT_CURRENCY'));
    else errors.push(fieldError(at('amount'), 'NOT_AMOUNT'));
  }
  if (expiresOn !== null && !dayBounds(expiresOn, 'UTC')) errors.push(fieldError(at('expiresOn'), 'NOT_DAY'));
  else if (expiresOn !== null && expiresOn < today) errors.push(fieldError(at('expiresOn'), 'CARD_EXPIRED'));
  return errors;
}

const isLink = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:';

/** Spaces and hyphens only make numbers easier to read. */
const plain = (number: string) => number.replace(/[\s-]/g, '').toUpperCase();

function recordOf({ line: _, number, pin, link, ...card }: CardLine, key: string, now: Date): CardRecord {
  const _id = new mongoose.Types.ObjectId();
  const hashes = [
    ...(number === null ? [] : [keyedHash(key, 'card number', plain(number))]),
    ...(link === null ? [] : [keyedHash(key, 'card link', link)]),
  ];
  return {
    _id,
    sealed: sealText(key, _id.toHexString(), JSON.stringify({ number, pin, link })),
    hashes,
    lastFour: (number === null ? (link ?? '') : plain(number)).slice(-4),
    ...card,
    ...{ state: 'FREE', incentive: null, givenBy: null, givenAt: null, delivery: null, reason: null },
    createdAt: now,
  };
}

/** Cards that occur twice in the file, or are already in the database. */
function duplicateErrors(lines: CardLine[], records: CardRecord[], knownHashes: Set<string>): FieldError[] {
  return records.flatMap(({ hashes }, at) => {
    const isRepeated = hashes.some((hash) => knownHashes.has(hash));
    for (const hash of hashes) knownHashes.add(hash);
    return isRepeated ? [fieldError(`lines.${lines[at]?.line}`, 'CARD_REPEATED')] : [];
  });
}
