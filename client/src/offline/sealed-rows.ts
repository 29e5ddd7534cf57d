/**
 * Which parts of the interviews on this device are encrypted, and for whom: for the study, whose service decrypts
 * what it is sent, and for the person whose interviews they are. The rest is unencrypted, so that a locked phone
 * knows what to send.
 *
 * Each row has two encrypted files. `sealed` has what the service decrypts into the body and, for a draft, its
 * progress, so that both can be recovered if the person's key is gone. `sealedView` has what only this device shows.
 */

import { definedFields } from '../../../src/platform/lib/objects/defined-fields.ts';
import { loadPersonSealing, type PersonSealing } from '../device/person-key.ts';
import type { FieldSealer, OpenSealed, SealedPayload } from '../device/sealing.ts';
import {
  type Draft,
  deviceDb,
  type OutboxBody,
  type OutboxRow,
  type StoredInterviewDraft,
} from '../device/store/store.ts';
import type { IncentiveHandedOver, SurveyBody } from '../wire.ts';

/** Encrypted with a key that is locked or gone. */
export class SealedRowError extends Error {
  override readonly name = 'Sealed';
}

/** The study's public key; the service has the private one. */
interface FieldKey {
  id: string;
  recipient: string;
}

/** Encrypts one row and its successive versions. */
export interface RowEncryptionKey {
  seal: FieldSealer;
  /** Id of the study's key among the recipients; null while this device doesn't know it. */
  fieldKey: string | null;
}

export interface RowSealing {
  /** Null while the person's key is locked. */
  open: OpenSealed | null;
  fieldKey: string | null;
  newKey(): RowEncryptionKey;
}

/** Both stored copies of the study have its key. */
export const CACHED_STUDY_KEYS = ['study', 'public-study'];

/** A broken store may never answer. */
const TIMEOUT_MS = 2_000;

/** As last read by this window, so that a rescue file can be encrypted even if the store can't be read. */
let lastFieldKey: FieldKey | null = null;

async function readFieldKey(): Promise<FieldKey | null> {
  const copies = await deviceDb.kept.bulkGet(CACHED_STUDY_KEYS);
  const keys = copies.map((copy) => (copy?.value as { fieldKey?: FieldKey } | undefined)?.fieldKey);
  lastFieldKey = keys.find(Boolean) ?? null;
  return lastFieldKey;
}

async function knownFieldKey(): Promise<FieldKey | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));
  return (await Promise.race([readFieldKey().catch(() => null), late])) ?? lastFieldKey;
}

/** Null if encryption isn't available. */
export async function rowSealing(owner: string): Promise<RowSealing | null> {
  const [sealing, study] = await Promise.all([loadPersonSealing(owner), knownFieldKey()]);
  if (!sealing) return null;
  const fieldKey = study?.id ?? null;
  return {
    open: sealing.open,
    fieldKey,
    newKey: () => ({ seal: sealerOnDemand(sealing, study), fieldKey }),
  };
}

export const newRowEncryptionKey = async (owner: string): Promise<RowEncryptionKey | null> =>
  (await rowSealing(owner))?.newKey() ?? null;

/** The header takes the longest, so it is created with the first version. */
function sealerOnDemand({ sealer }: PersonSealing, study: FieldKey | null): FieldSealer {
  let seal: FieldSealer | undefined;
  return (fields) => {
    seal ??= sealer(study ? [study.recipient] : []);
    return seal(fields);
  };
}

type Incentive = IncentiveHandedOver | null | undefined;

function withoutReference(incentive: Incentive): { incentive?: IncentiveHandedOver | null } {
  if (!incentive) return incentive === undefined ? {} : { incentive };
  const { reference: _, ...rest } = incentive;
  return { incentive: rest };
}

const referenceIn = (incentive: Incentive) =>
  incentive?.reference ? { incentive: { reference: incentive.reference } } : {};

function withReference(
  incentive: Incentive,
  sealed: SealedPayload,
): { incentive?: IncentiveHandedOver | null } {
  if (incentive === undefined) return {};
  const { reference } = (sealed.incentive ?? {}) as Pick<IncentiveHandedOver, 'reference'>;
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
  /** Drafts only. */
  progress?: Pick<Draft, 'place' | 'language'>;
}

const sealSecrets = ({ seal }: RowEncryptionKey, secrets: Secrets): string => {
  const { clientId, owner, responses, coordinates, incentive, contact, note, progress } = secrets;
  return seal({
    ...{ clientId, owner, responses, ...progress },
    ...(coordinates ? { coordinates } : {}),
    ...referenceIn(incentive),
    ...(contact === undefined ? {} : { contact }),
    ...(note ? { note } : {}),
  });
};

/** The draft as stored; unchanged if encryption isn't available. */
export function sealDraft(draft: Draft, key: RowEncryptionKey | null): StoredInterviewDraft {
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

/** A row's unencrypted fields. */
export function plaintextFieldsOf(stored: StoredInterviewDraft) {
  const { responses, coordinates, place, language, note, incentive, contact, secret, ...rest } = stored;
  const { sealed: _sealed, sealedView: _view, fieldKey: _key, ...clear } = rest;
  return clear;
}

/**
 * Null if it can't be decrypted. Unencrypted fields next to encrypted ones were written later, by an older app
 * version.
 */
export function decryptDraft(stored: StoredInterviewDraft, open: OpenSealed | null): Draft | null {
  const { sealed, sealedView, responses, coordinates, place, language, note, incentive } = stored;
  const { contact, secret } = stored;
  const opened: SealedPayload | null = sealed ? (open?.(sealed) ?? null) : {};
  if (!opened && !responses) return null;
  const view = (sealedView && open?.(sealedView)) || {};
  const secrets = { ...view, ...opened } as Partial<Draft>;
  return {
    ...plaintextFieldsOf(stored),
    ...withReference(incentive, opened ?? {}),
    responses: responses ?? secrets.responses ?? {},
    coordinates: coordinates ?? secrets.coordinates ?? null,
    place: place ?? secrets.place ?? null,
    language: language ?? secrets.language ?? 'en',
    ...((note ?? secrets.note) ? { note: note ?? secrets.note } : {}),
    ...definedFields({ contact: contact ?? secrets.contact, secret: secret ?? secrets.secret }),
  } as Draft;
}

export function sealBody(body: SurveyBody, owner: string, key: RowEncryptionKey | null): OutboxBody {
  if (!key) return body;
  const { responses, coordinates, note, incentive, contact, ...clear } = body;
  const { clientId } = body;
  return {
    ...clear,
    ...(withoutReference(incentive) as Pick<SurveyBody, 'incentive'>),
    sealed: sealSecrets(key, { clientId, owner, responses, coordinates, incentive, contact, note }),
  };
}

/** Null if it can't be decrypted. */
export function openBody(body: OutboxBody, open: OpenSealed | null): SurveyBody | null {
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

/** A body encrypted for the person alone, before this device knew the study's key, is sent decrypted if possible. */
export async function bodyToSend({ owner, body, fieldKey = null }: OutboxRow): Promise<OutboxBody | null> {
  if (!body || !('sealed' in body) || fieldKey !== null) return body;
  const sealing = await rowSealing(owner).catch(() => null);
  return openBody(body, sealing?.open ?? null) ?? body;
}

/** What the coupon page shows. */
export interface FarewellPageContent {
  farewell: string;
  language: string;
  /** For the person's own page. */
  secret?: string | undefined;
}

export function sealFarewellPageContent(
  { farewell, language, secret }: FarewellPageContent,
  key: RowEncryptionKey | null,
): Partial<OutboxRow> {
  const view = { farewell, language, ...(secret ? { secret } : {}) };
  return key ? { sealedView: key.seal(view), fieldKey: key.fieldKey } : view;
}

export function openFarewellPageContent(
  { sealedView, farewell, language, secret }: OutboxRow,
  open: OpenSealed | null,
): Partial<FarewellPageContent> {
  const opened = (sealedView && open?.(sealedView)) as Partial<FarewellPageContent> | null | undefined;
  return {
    ...opened,
    ...(farewell === undefined ? {} : { farewell }),
    ...(language === undefined ? {} : { language }),
    ...(secret === undefined ? {} : { secret }),
  };
}

/** Encrypts a row of an older app version, or one for an older key of the study, if it can be decrypted. */
export function sealRow(row: OutboxRow, key: RowEncryptionKey, open: OpenSealed | null = null): OutboxRow {
  const { farewell, language, secret: _secret, ...rest } = row;
  const body = row.body && openBody(row.body, open);
  const view = openFarewellPageContent(row, open);
  if (row.body && !body) return row;
  return {
    ...rest,
    body: body && sealBody(body, row.owner, key),
    refused: row.refused && isRowUnencrypted(row) ? withoutValues(row.refused) : row.refused,
    ...sealFarewellPageContent(
      { ...view, farewell: view.farewell ?? '', language: view.language ?? 'en' },
      key,
    ),
  };
}

/** Error messages about an unencrypted body may quote it. */
function withoutValues(refused: NonNullable<OutboxRow['refused']>): OutboxRow['refused'] {
  const errors = refused.errors.map(({ path, code }) => ({ path, message: '', ...(code ? { code } : {}) }));
  return { ...refused, message: '', errors };
}

export const isDraftUnencrypted = (stored: StoredInterviewDraft): boolean => stored.responses !== undefined;
export const isRowUnencrypted = (row: OutboxRow): boolean =>
  row.farewell !== undefined || Boolean(row.body && !('sealed' in row.body));
