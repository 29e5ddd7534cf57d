/**
 * Everything stored on the device, in IndexedDB. Each row of a person's work has its owner, and nobody else on the
 * same device can see, change or send it.
 */
import Dexie, { type EntityTable, type Table } from 'dexie';
import type { ContactInput } from '../../../../src/interviews/contacts/schema.ts';
import type { Params } from '../../../../src/platform/http/problems/error-codes.ts';
import type {
  Answers,
  Coordinates,
  FieldError,
  HandedOver,
  Questionnaire,
  SealedBody,
  SurveyBody,
} from '../../wire.ts';

/** What is known about a coupon code. */
export type VerdictKind =
  | 'good'
  /** Well formed, but the service has not answered yet. */
  | 'unchecked'
  /** In an interview on this device. */
  | 'used-here'
  | 'malformed'
  | 'unknown'
  | 'used'
  | 'void'
  | 'expired'
  | 'not-yet';

/** An interview that is under way. Its id becomes the survey's clientId. */
export interface Draft {
  id: string;
  owner: string;
  questionnaire: string;
  location: string;
  referralCode: string | null;
  /** What the service said of this code. Absent for a walk-in, and in what an older version of the app stored. */
  couponVerdict?: VerdictKind;
  coordinates: Coordinates | null;
  responses: Answers;
  /** Where the interview stands: the name of the page or question. */
  place: string | null;
  language: string;
  startedAt: string;
  updatedAt: string;
  /** The tab that may write. The last one that opened the interview has it. */
  editor: string;
  /** An interview that came back to be corrected keeps the coupons that it handed out. */
  issuedCodes: string[] | null;
  /** What was handed over at the interview; null for nothing now. Absent until someone has said it. */
  incentive?: HandedOver | null;
  /** Of a walk-in: the code, from the phone's own block, by which the person is paid later. */
  walkInCode?: string | null;
  /** How the person can be texted; null if they want no texts. Absent until someone has said it. */
  contact?: ContactInput | null;
  /** For reviewers. */
  note?: string;
  /** Of a finished interview that is corrected: the secret of the person's own page, which they may have on paper. */
  secret?: string;
  /** Of a finished interview that is corrected: when it was first finished. */
  completedAt?: string;
  /** The same: the coupons on paper that this person holds. */
  paper?: Pick<OutboxRow, 'printed' | 'late' | 'lateRefused' | 'aside'>;
  /** The same: as it was, so that the correction can be undone. */
  finished?: OutboxRow;
}

/** What is stored sealed of a draft. */
type DraftSecrets = Pick<
  Draft,
  'responses' | 'coordinates' | 'place' | 'language' | 'contact' | 'note' | 'secret'
>;

/**
 * A draft as it is stored (offline/sealed-rows.ts). Its secrets lie in plaintext where the browser can seal nothing, and in
 * what an older version of the app stored.
 */
export interface StoredDraft extends Omit<Draft, keyof DraftSecrets>, Partial<DraftSecrets> {
  /** For the service as well: the secrets of the body, and where the interview stands. */
  sealed?: string;
  /** The rest. An older version of the app stored here where the interview stands. */
  sealedView?: string;
  /** The study's key that opens it. */
  fieldKey?: string | null;
}

/** The body of a finished interview, as it is sent. */
export type StoredBody = SurveyBody | SealedBody;

export type OutboxState = 'waiting' | 'sending' | 'sent' | 'attention';

export interface RefusedRow {
  status: number;
  code: string | null;
  /** Why, more narrowly, and what the words name: not on a row of an earlier version. */
  reason?: string | undefined;
  params?: Params | undefined;
  message: string;
  errors: FieldError[];
}

export interface RefusedLateCoupon {
  code: string;
  status: number;
  message: string;
}

/** Whether a person gets codes from the phone's own block or coupons of a printed stack. */
export type CouponSource = 'phone' | 'paper';

/** A finished interview. */
export interface OutboxRow {
  /** The order of sending. */
  seq: number;
  clientId: string;
  owner: string;
  state: OutboxState;
  /** Null once it is sent: the answers do not stay on the device longer than needed. */
  body: StoredBody | null;
  /** What the page of the coupons shows: the farewell, and its language. In clear as in `StoredDraft`. */
  sealedView?: string;
  /** The study's key that opens it. */
  fieldKey?: string | null;
  location: string;
  referralCode: string | null;
  /** What the service said of this code before the interview ended. */
  couponVerdict?: VerdictKind;
  issuedCodes: string[];
  /** Absent in what an older version of the app stored. */
  couponsFrom?: CouponSource;
  /** What was chosen from the other source: it comes back with it, and is sent to nobody as long as it lies here. */
  aside?: string[];
  /** Coupons that this person already had when the interview was corrected: from either source. */
  earlier?: string[];
  /** Coupons of a printed stack that this person holds. */
  printed?: string[];
  /** Those of them that the interview went out without: the service is told afterwards (late-coupons.ts). */
  late?: string[];
  /** Those of them that a request went out with, whether or not a reply came. */
  reported?: string[];
  /** Those of `late` that the service would not take. */
  lateRefused?: RefusedLateCoupon[];
  /** How many coupons this person gets; 0 for someone who does not take part. */
  coupons: number;
  /** The respondent's. */
  language?: string;
  farewell?: string;
  /** Of the person's own page. */
  secret?: string;
  finishedAt: string;
  /** When the coupons were handed out, if the interview was corrected since. */
  givenAt?: string;
  /** Until then the coupons can still be chosen, so it isn't sent yet. */
  heldUntil: number;
  attempts: number;
  retryAt: number;
  refused: RefusedRow | null;
  sentAt: string | null;
  /**
   * The number with which the person is paid later. Null where there is none, absent in what an older version of the app
   * stored.
   */
  claimNumber?: string | null;
  /** The survey at the service, and what it flagged. */
  survey: string | null;
  flags: string[];
}

/** A referral code of the device's own block. `spent`: shown to someone, then replaced, so never shown again. */
export interface ReservedCode {
  code: string;
  owner: string;
  state: 'free' | 'given' | 'spent';
  clientId: string | null;
}

/** Copies of what the service said last: study, locations, the active questionnaire's id, the chosen site. */
export interface StoredValue {
  key: string;
  value: unknown;
}

type Store = Dexie & {
  drafts: EntityTable<StoredDraft, 'id'>;
  outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>;
  codes: EntityTable<ReservedCode, 'code'>;
  questionnaires: EntityTable<Questionnaire, 'id'>;
  kept: EntityTable<StoredValue, 'key'>;
};

/** Strict: a write is on the disk, not only on its way there, before it counts. Batteries die in the cold. */
export const db = new Dexie('field-survey', { chromeTransactionDurability: 'strict' }) as Store;

/** For whom the store may be written: who is at work, and for a moment whoever just left. See workspace.ts. */
export const storeWriters = new Set<{ readonly owner: string }>();

/** Someone's work would have been changed by somebody else. */
export class NotTheOwner extends Error {
  override readonly name = 'NotTheOwner';
}

interface Owned {
  owner?: string;
  state?: string;
}

const OWNED = ['drafts', 'outbox', 'codes'];
const isOwn = ({ owner }: Owned) => [...storeWriters].some((writer) => writer.owner === owner);
/** At the service, or in somebody's hand: anyone's app clears it away in time. */
const isOver = ({ state }: Owned) => state === 'sent' || state === 'given' || state === 'spent';

/** Below every write, so that none can forget to ask. */
db.use({
  stack: 'dbcore',
  name: 'owner',
  create: (core) => ({
    ...core,
    table: (name) => {
      const table = core.table(name);
      if (!OWNED.includes(name)) return table;
      return {
        ...table,
        mutate: (request) => {
          const refuse = () => Promise.reject(new NotTheOwner());
          if (request.type === 'deleteRange') return refuse();
          if (request.type !== 'delete')
            return request.values.every(isOwn) ? table.mutate(request) : refuse();
          return table
            .getMany({ trans: request.trans, keys: request.keys })
            .then((rows: (Owned | undefined)[]) =>
              rows.every((row) => !row || isOwn(row) || isOver(row)) ? table.mutate(request) : refuse(),
            );
        },
      };
    },
  }),
});

db.version(1).stores({
  drafts: 'id, owner, [owner+referralCode]',
  outbox: '++seq, &clientId, owner, [owner+state], [owner+referralCode]',
  codes: 'code, [owner+state], clientId',
  questionnaires: 'id',
  kept: 'key',
});

/** Unfinished and unsent interviews of other people. Only the indexes are read. */
export async function countOthersInterviews(owner: string): Promise<number> {
  const drafts = await db.drafts.where('owner').notEqual(owner).count();
  const rows = await db.outbox.orderBy('[owner+state]').keys();
  const unsent = (rows as unknown as [string, OutboxState][]).filter(
    ([of, state]) => of !== owner && state !== 'sent',
  );
  return drafts + unsent.length;
}

export const namesIn = (error: unknown): string[] => {
  const names: string[] = [];
  for (let at = error as { name?: string; inner?: unknown } | undefined; at; at = at.inner as typeof at)
    names.push(at.name ?? '');
  return names;
};

/** The device has no room. Dexie reports it by itself or as the reason of an aborted transaction. */
export const isStorageFull = (error: unknown): boolean => namesIn(error).includes('QuotaExceededError');
