/**
 * Which parts of the interviews on this device are sealed, and for whom: for the study, which opens what it is sent, and
 * for the person whose interviews they are. The rest stays in plaintext, so that a locked phone knows what to send.
 *
 * Two files a row: `sealed` holds what the service opens in the body's place, and of a draft also where it stands, so that
 * it comes back with the rest where the person's key is gone; `sealedView` what only this device shows.
 */

import { givenFields } from '../../../src/platform/lib/objects/given-fields.ts';
import { type PersonSealing, sealingOf } from '../device/person-key.ts';
import type { OpenSealed, Seal, SealedFields } from '../device/sealing.ts';
import { type Draft, db, type OutboxRow, type StoredBody, type StoredDraft } from '../device/store/store.ts';
import type { HandedOver, SurveyBody } from '../wire.ts';

/** Sealed with a key that is not here, or locked. */
export class Sealed extends Error {
  override readonly name = 'Sealed';
}

/** The study's key, by which the service opens rows. */
interface FieldKey {
  id: string;
  recipient: string;
}

/** For one row, and its successive versions. */
export interface RowKey {
  seal: Seal;
  /** The id of the study's key among the readers; null where this device doesn't know one yet. */
  fieldKey: string | null;
}

export interface RowSealing {
  /** Null while the person's key is locked. */
  open: OpenSealed | null;
  fieldKey: string | null;
  newKey(): RowKey;
}

/** The copies of the study, both of which name its key. */
export const STUDY_COPY_KEYS = ['study', 'public-study'];

/** A store that is broken may also never answer. */
const TIMEOUT_MS = 2_000;

/** As this window read it last, so that a rescue file is sealed also where the store can't be read any more. */
let lastRead: FieldKey | null = null;

async function readFieldKey(): Promise<FieldKey | null> {
  const copies = await db.kept.bulkGet(STUDY_COPY_KEYS);
  const keys = copies.map((copy) => (copy?.value as { fieldKey?: FieldKey } | undefined)?.fieldKey);
  lastRead = keys.find(Boolean) ?? null;
  return lastRead;
}

async function knownFieldKey(): Promise<FieldKey | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));
  return (await Promise.race([readFieldKey().catch(() => null), late])) ?? lastRead;
}

/** Null where nothing can be sealed. */
export async function rowSealing(owner: string): Promise<RowSealing | null> {
  const [sealing, study] = await Promise.all([sealingOf(owner), knownFieldKey()]);
  if (!sealing) return null;
  const fieldKey = study?.id ?? null;
  return {
    open: sealing.open,
    fieldKey,
    newKey: () => ({ seal: sealerOnDemand(sealing, study), fieldKey }),
  };
}

export const newRowKey = async (owner: string): Promise<RowKey | null> =>
  (await rowSealing(owner))?.newKey() ?? null;

/** Its header takes longer than the rest: it is made with the first version. */
function sealerOnDemand({ sealer }: PersonSealing, study: FieldKey | null): Seal {
  let seal: Seal | undefined;
  return (fields) => {
    seal ??= sealer(study ? [study.recipient] : []);
    return seal(fields);
  };
}

type Incentive = HandedOver | null | undefined;

function withoutReference(incentive: Incentive): { incentive?: HandedOver | null } {
  if (!incentive) return incentive === undefined ? {} : { incentive };
  const { reference: _, ...rest } = incentive;
  return { incentive: rest };
}

const referenceIn = (incentive: Incentive) =>
  incentive?.reference ? { incentive: { reference: incentive.reference } } : {};

function withReference(incentive: Incentive, sealed: SealedFields): { incentive?: HandedOver | null } {
  if (incentive === undefined) return {};
  const { reference } = (sealed.incentive ?? {}) as Pick<HandedOver, 'reference'>;
  return { incentive: incentive && (reference ? { ...incentive, reference } : incentive) };
}

interface Secrets {
  clientId: string;
  owner: string;
  responses: object;
  coordinates?: SurveyBody['coordinates'] | null | undefined;
  incentive?: Incentive;
  contact?: SurveyBody['contact'] | null | undefined;
  note?: string | undefined;
  /** Of a draft. */
  progress?: Pick<Draft, 'place' | 'language'>;
}

const sealSecrets = ({ seal }: RowKey, secrets: Secrets): string => {
  const { clientId, owner, responses, coordinates, incentive, contact, note, progress } = secrets;
  return seal({
    ...{ clientId, owner, responses, ...progress },
    ...(coordinates ? { coordinates } : {}),
    ...referenceIn(incentive),
    ...(contact === undefined ? {} : { contact }),
    ...(note ? { note } : {}),
  });
};

/** As it is stored; as it is where nothing can be sealed. */
export function sealDraft(draft: Draft, key: RowKey | null): StoredDraft {
  if (!key) return draft;
  const {
    id: clientId,
    responses,
    coordinates,
    place,
    language,
    note,
    incentive,
    contact,
    secret,
    finished,
    ...clear
  } = draft;
  return {
    ...clear,
    ...withoutReference(incentive),
    ...(finished ? { finished: sealRow(finished, key) } : {}),
    id: clientId,
    sealed: sealSecrets(key, {
      ...clear,
      ...{ clientId, responses, coordinates, incentive, contact, note, progress: { place, language } },
    }),
    ...(secret ? { sealedView: key.seal({ secret }) } : {}),
    fieldKey: key.fieldKey,
  };
}

/** What a row says in plaintext. */
export function clearFieldsOf(stored: StoredDraft) {
  const { responses, coordinates, place, language, note, incentive, contact, secret, ...rest } = stored;
  const { sealed: _sealed, sealedView: _view, fieldKey: _key, ...clear } = rest;
  return clear;
}

/** Null where it can't be opened. What lies in plaintext beside it was written later, by an earlier version of the app. */
export function openDraft(stored: StoredDraft, open: OpenSealed | null): Draft | null {
  const { sealed, sealedView, responses, coordinates, place, language, note, incentive } = stored;
  const { contact, secret } = stored;
  const opened: SealedFields | null = sealed ? (open?.(sealed) ?? null) : {};
  if (!opened && !responses) return null;
  const view = (sealedView && open?.(sealedView)) || {};
  const secrets = { ...view, ...opened } as Partial<Draft>;
  return {
    ...clearFieldsOf(stored),
    ...withReference(incentive, opened ?? {}),
    responses: responses ?? secrets.responses ?? {},
    coordinates: coordinates ?? secrets.coordinates ?? null,
    place: place ?? secrets.place ?? null,
    language: language ?? secrets.language ?? 'en',
    ...((note ?? secrets.note) ? { note: note ?? secrets.note } : {}),
    ...givenFields({ contact: contact ?? secrets.contact, secret: secret ?? secrets.secret }),
  } as Draft;
}

export function sealBody(body: SurveyBody, owner: string, key: RowKey | null): StoredBody {
  if (!key) return body;
  const { responses, coordinates, note, incentive, contact, ...clear } = body;
  const { clientId } = body;
  return {
    ...clear,
    ...(withoutReference(incentive) as Pick<SurveyBody, 'incentive'>),
    sealed: sealSecrets(key, { clientId, owner, responses, coordinates, incentive, contact, note }),
  };
}

/** Null where it can't be opened. */
export function openBody(body: StoredBody, open: OpenSealed | null): SurveyBody | null {
  if (!('sealed' in body)) return body;
  const { sealed, ...clear } = body;
  const opened = open?.(sealed);
  if (!opened) return null;
  const { responses, coordinates, contact, note } = opened as Partial<SurveyBody> &
    Pick<SurveyBody, 'responses'>;
  return {
    ...clear,
    responses,
    ...(coordinates ? { coordinates } : {}),
    ...(withReference(clear.incentive, opened) as Pick<SurveyBody, 'incentive'>),
    ...(contact ? { contact } : {}),
    ...(note ? { note } : {}),
  };
}

/** Sealed for the person alone, before this device knew a key of the study: then in plaintext, as far as it can be opened. */
export async function bodyToSend({ owner, body, fieldKey = null }: OutboxRow): Promise<StoredBody | null> {
  if (!body || !('sealed' in body) || fieldKey !== null) return body;
  const sealing = await rowSealing(owner).catch(() => null);
  return openBody(body, sealing?.open ?? null) ?? body;
}

/** What the page of its coupons shows. */
export interface RowView {
  farewell: string;
  language: string;
  /** Of the person's own page. */
  secret?: string | undefined;
}

export function sealView({ farewell, language, secret }: RowView, key: RowKey | null): Partial<OutboxRow> {
  const view = { farewell, language, ...(secret ? { secret } : {}) };
  return key ? { sealedView: key.seal(view), fieldKey: key.fieldKey } : view;
}

export function viewOf(
  { sealedView, farewell, language, secret }: OutboxRow,
  open: OpenSealed | null,
): Partial<RowView> {
  const opened = (sealedView && open?.(sealedView)) as Partial<RowView> | null | undefined;
  return {
    ...opened,
    ...(farewell === undefined ? {} : { farewell }),
    ...(language === undefined ? {} : { language }),
    ...(secret === undefined ? {} : { secret }),
  };
}

/** One that an earlier version of the app stored, or that is sealed for another key of the study, if it can be opened. */
export function sealRow(row: OutboxRow, key: RowKey, open: OpenSealed | null = null): OutboxRow {
  const { farewell, language, secret: _secret, ...rest } = row;
  const body = row.body && openBody(row.body, open);
  const view = viewOf(row, open);
  if (row.body && !body) return row;
  return {
    ...rest,
    body: body && sealBody(body, row.owner, key),
    refused: row.refused && isRowUnencrypted(row) ? withoutValues(row.refused) : row.refused,
    ...sealView({ ...view, farewell: view.farewell ?? '', language: view.language ?? 'en' }, key),
  };
}

/** The service's words about a body in plaintext may quote it. */
function withoutValues(refused: NonNullable<OutboxRow['refused']>): OutboxRow['refused'] {
  const errors = refused.errors.map(({ path, code }) => ({ path, message: '', ...(code ? { code } : {}) }));
  return { ...refused, message: '', errors };
}

/** Whether what is stored is not as it should be by now. */
export const isDraftUnencrypted = (stored: StoredDraft): boolean => stored.responses !== undefined;
export const isRowUnencrypted = (row: OutboxRow): boolean =>
  row.farewell !== undefined || Boolean(row.body && !('sealed' in row.body));
