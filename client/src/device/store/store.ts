/**
 * Everything stored on the device, in IndexedDB. Each row of a person's work has an owner, and nobody else on the
 * same device can see, change, or send it.
 */
import Dexie, { type EntityTable, type Table } from 'dexie';
import type { ContactInput } from '../../../../src/interviews/contacts/schema.ts';
import type { FaultTextParameters } from '../../../../src/platform/http/problems/error-codes.ts';
import type {
  Answers,
  Coordinates,
  FieldError,
  IncentiveHandedOver,
  Questionnaire,
  SealedBody,
  SurveyBody,
} from '../../wire.ts';

/** What is known about a coupon code. */
export type CouponVerdictKind =
  | 'good'
  /** Well formed, but not checked by the service yet. */
  | 'unchecked'
  /** Already in an interview on this device. */
  | 'used-here'
  | 'malformed'
  | 'unknown'
  | 'used'
  | 'void'
  | 'expired'
  | 'not-yet';

/** An unfinished interview. Its id becomes the survey's clientId. */
export interface Draft {
  id: string;
  owner: string;
  questionnaire: string;
  location: string;
  referralCode: string | null;
  /** The service's verdict on this code. Absent for walk-ins and in rows of older app versions. */
  couponVerdict?: CouponVerdictKind;
  coordinates: Coordinates | null;
  responses: Answers;
  /** Name of the current page or question. */
  place: string | null;
  language: string;
  startedAt: string;
  updatedAt: string;
  /** The tab that may write: the last one that opened the interview. */
  editor: string;
  /** An interview sent back for correction keeps the coupons it handed out. */
  issuedCodes: string[] | null;
  /** What was handed over at the interview; null if nothing was. Absent until recorded. */
  incentive?: IncentiveHandedOver | null;
  /** For a walk-in: the code, from the phone's own block, with which the person is paid later. */
  walkInCode?: string | null;
  /** How the person can be texted; null if they want no texts. Absent until recorded. */
  contact?: ContactInput | null;
  /** For reviewers. */
  note?: string;
  /** When correcting a finished interview: the secret for the person's own page, which they may have on paper. */
  secret?: string;
  /** When correcting a finished interview: when it was first finished. */
  completedAt?: string;
  /** When correcting a finished interview: this person's paper coupons. */
  paper?: Pick<OutboxRow, 'printed' | 'late' | 'lateRefused' | 'aside'>;
  /** When correcting a finished interview: the original row, to undo the correction. */
  finished?: OutboxRow;
}

/** The fields of a draft that are stored encrypted. */
type DraftSecrets = Pick<
  Draft,
  'responses' | 'coordinates' | 'place' | 'language' | 'contact' | 'note' | 'secret'
>;

/**
 * A draft as stored (offline/sealed-rows.ts). Its secrets are unencrypted if the browser can't encrypt, and in rows
 * of older app versions.
 */
export interface StoredInterviewDraft extends Omit<Draft, keyof DraftSecrets>, Partial<DraftSecrets> {
  /** Also readable by the service: the secrets in the body, and the progress (`place` and `language`). */
  sealed?: string;
  /** The other secrets. Older app versions stored `place` here. */
  sealedView?: string;
  /** The study's key that can decrypt it. */
  fieldKey?: string | null;
}

/** The body of a finished interview, as sent. */
export type OutboxBody = SurveyBody | SealedBody;

export type OutboxState = 'waiting' | 'sending' | 'sent' | 'attention';

export interface OutboxRowRefusal {
  status: number;
  code: string | null;
  /** A narrower reason and the message's parameters. Absent in rows of earlier versions. */
  reason?: string | undefined;
  params?: FaultTextParameters | undefined;
  message: string;
  errors: FieldError[];
}

export interface RefusedAddedCoupon {
  code: string;
  status: number;
  message: string;
}

/** Whether people get codes from the phone's own block or coupons from a printed stack. */
export type CouponSource = 'phone' | 'paper';

/** A finished interview. */
export interface OutboxRow {
  /** The sending order. */
  seq: number;
  clientId: string;
  owner: string;
  state: OutboxState;
  /** Null once sent: answers don't stay on the device longer than needed. */
  body: OutboxBody | null;
  /**
   * What the coupon page shows: the farewell text and its language. Unencrypted in the same cases as `StoredInterviewDraft`.
   */
  sealedView?: string;
  /** The study's key that can decrypt it. */
  fieldKey?: string | null;
  location: string;
  referralCode: string | null;
  /** The service's verdict on this code before the interview ended. */
  couponVerdict?: CouponVerdictKind;
  issuedCodes: string[];
  /** Absent in rows of older app versions. */
  couponsFrom?: CouponSource;
  /** Coupons chosen from the other source. Restored when switching back to it; never sent. */
  aside?: string[];
  /** Coupons this person already had when the interview was corrected, from either source. */
  earlier?: string[];
  /** Paper coupons this person holds. */
  printed?: string[];
  /**
   * Those of `printed` that are missing from the sent interview; the service is told afterwards (late-coupons.ts).
   */
  late?: string[];
  /** Those of `late` that were sent to the service, whether or not it replied. */
  reported?: string[];
  /** Those of `late` that the service refused. */
  lateRefused?: RefusedAddedCoupon[];
  /** How many coupons this person gets; 0 if they are not eligible. */
  coupons: number;
  /** The respondent's language. */
  language?: string;
  farewell?: string;
  /** For the person's own page. */
  secret?: string;
  finishedAt: string;
  /** When the coupons were handed out, if the interview was corrected afterwards. */
  givenAt?: string;
  /** Coupons can be chosen until then, so the interview isn't sent before. */
  heldUntil: number;
  attempts: number;
  retryAt: number;
  refused: OutboxRowRefusal | null;
  sentAt: string | null;
  /** The number with which the person is paid later. Null if there is none; absent in rows of older app versions. */
  claimNumber?: string | null;
  /** The survey's id on the service, and the flags it got. */
  survey: string | null;
  flags: string[];
}

/** A referral code from the device's own block. `spent`: shown to someone, then replaced, so never shown again. */
export interface ReservedCode {
  code: string;
  owner: string;
  state: 'free' | 'given' | 'spent';
  clientId: string | null;
}

/** Copies of the service's last replies: study, locations, the active questionnaire's id; and the chosen site. */
export interface DeviceStoreEntry {
  key: string;
  value: unknown;
}

type Store = Dexie & {
  drafts: EntityTable<StoredInterviewDraft, 'id'>;
  outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>;
  codes: EntityTable<ReservedCode, 'code'>;
  questionnaires: EntityTable<Questionnaire, 'id'>;
  kept: EntityTable<DeviceStoreEntry, 'key'>;
};

/** Strict: a write only counts once it is on the disk. Batteries die in the cold. */
export const deviceDb = new Dexie('field-survey', { chromeTransactionDurability: 'strict' }) as Store;

/** Who may write to the store: the current person and, briefly, the one who just left. See workspace.ts. */
export const ownersAllowedToWrite = new Set<{ readonly owner: string }>();

/** A write would have changed another person's work. */
export class NotTheOwner extends Error {
  override readonly name = 'NotTheOwner';
}

interface OwnedRow {
  owner?: string;
  state?: string;
}

const OWNED_TABLES = ['drafts', 'outbox', 'codes'];
const isOwn = ({ owner }: OwnedRow) => [...ownersAllowedToWrite].some((writer) => writer.owner === owner);
/** Sent, or handed out: anyone's app may clean these up. */
const isDone = ({ state }: OwnedRow) => state === 'sent' || state === 'given' || state === 'spent';

/** Checks every write, so that no caller can forget it. */
deviceDb.use({
  stack: 'dbcore',
  name: 'owner',
  create: (core) => ({
    ...core,
    table: (name) => {
      const table = core.table(name);
      if (!OWNED_TABLES.includes(name)) return table;
      return {
        ...table,
        mutate: (request) => {
          const refuse = () => Promise.reject(new NotTheOwner());
          if (request.type === 'deleteRange') return refuse();
          if (request.type !== 'delete')
            return request.values.every(isOwn) ? table.mutate(request) : refuse();
          return table
            .getMany({ trans: request.trans, keys: request.keys })
            .then((rows: (OwnedRow | undefined)[]) =>
              rows.every((row) => !row || isOwn(row) || isDone(row)) ? table.mutate(request) : refuse(),
            );
        },
      };
    },
  }),
});

deviceDb.version(1).stores({
  drafts: 'id, owner, [owner+referralCode]',
  outbox: '++seq, &clientId, owner, [owner+state], [owner+referralCode]',
  codes: 'code, [owner+state], clientId',
  questionnaires: 'id',
  kept: 'key',
});

/** Counts other people's unfinished and unsent interviews. Reads only indexes. */
export async function countOthersUnsentInterviews(owner: string): Promise<number> {
  const drafts = await deviceDb.drafts.where('owner').notEqual(owner).count();
  const rows = await deviceDb.outbox.orderBy('[owner+state]').keys();
  const unsent = (rows as unknown as [string, OutboxState][]).filter(
    ([of, state]) => of !== owner && state !== 'sent',
  );
  return drafts + unsent.length;
}

export const errorNamesOf = (error: unknown): string[] => {
  const names: string[] = [];
  for (let at = error as { name?: string; inner?: unknown } | undefined; at; at = at.inner as typeof at)
    names.push(at.name ?? '');
  return names;
};

/** The device is out of space. Dexie reports this directly or as the cause of an aborted transaction. */
export const isStorageFullError = (error: unknown): boolean =>
  errorNamesOf(error).includes('QuotaExceededError');
