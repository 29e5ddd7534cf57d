/** The kind of an event: the key of its sentence in the history. */
import type { AuditedSubject } from '../../../../src/platform/rights/names.ts';
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';

export const EVENT_KINDS = {
  User: [
    'signedUp',
    'created',
    'approved',
    'rejected',
    'waiting',
    'role',
    'grants',
    'moved',
    'signedOut',
    'sessionEnded',
    'unsealed',
    'codeMade',
    'signedIn',
    'signInFailed',
    'lockedOut',
    'dismissed',
    'updated',
    'deleted',
  ],
  Survey: [
    'created',
    'followed',
    'restored',
    'finished',
    'coupon',
    'couponLost',
    'corrected',
    'approved',
    'sentBack',
    'rejected',
    'reviewUndone',
    'coupons',
    'flags',
    'dismissed',
    'updated',
    'deleted',
    'erased',
    'read',
  ],
  Seed: ['created', 'updated', 'deleted'],
  Location: ['created', 'updated', 'deleted', 'reopened'],
  Questionnaire: ['created', 'activated', 'checked', 'updated', 'deleted'],
  ReferralCode: ['created', 'withdrawn', 'lost', 'updated', 'deleted'],
  CodeBatch: ['created', 'updated', 'deleted'],
  Study: ['created', 'updated', 'deleted', 'erased'],
  Count: ['created', 'updated', 'deleted'],
  Incentive: ['created', 'paid', 'withdrawn', 'reopened', 'updated', 'deleted'],
  CashDay: ['created', 'reopened', 'updated', 'deleted'],
  Round: ['created', 'closed', 'reopened', 'updated', 'deleted'],
  Card: ['created', 'given', 'voided', 'updated', 'deleted'],
  Message: ['created', 'updated', 'deleted'],
  Export: ['downloaded', 'read'],
  ReadToken: ['created', 'updated', 'deleted', 'read'],
} as const satisfies Record<AuditedSubject, readonly string[]>;

export type AuditEventKind = {
  [S in AuditedSubject]: `${S}.${(typeof EVENT_KINDS)[S][number]}`;
}[AuditedSubject];

type Event = Pick<AuditEvent, 'action' | 'subject' | 'record' | 'by' | 'automatic' | 'changes'>;
type Change = Event['changes'][number];

/** Null for a kind of record this version of the app doesn't know. */
export function eventKindOf(event: Event): AuditEventKind | null {
  const { subject, action } = event;
  if (!(subject in EVENT_KINDS)) return null;
  const [kinds, kind] = [EVENT_KINDS[subject as AuditedSubject] as readonly string[], verbOf(event)];
  const plain = action === 'update' ? 'updated' : `${action}${action.endsWith('e') ? 'd' : 'ed'}`;
  const supported = kinds.includes(kind) ? kind : plain;
  return kinds.includes(supported) ? (`${subject}.${supported}` as AuditEventKind) : null;
}

/** Actions whose verb doesn't depend on the changes. */
const OWN_VERBS = {
  read: 'read',
  signOut: 'signedOut',
  endSession: 'sessionEnded',
  signInCode: 'codeMade',
  signIn: 'signedIn',
  signInFailed: 'signInFailed',
  lockOut: 'lockedOut',
} as const;

function verbOf({ subject, action, record, by, automatic, changes }: Event): string {
  if (automatic) return 'followed';
  if (subject === 'User' && action === 'create' && by === record) return 'signedUp';
  if (action in OWN_VERBS) return OWN_VERBS[action as keyof typeof OWN_VERBS];
  if (action !== 'update') return '';
  const of = new Map(changes.map((one) => [one.path, one]));
  return VERBS[subject]?.(of, changes) ?? '';
}

type Verb = (of: Map<string, Change>, changes: Change[]) => string | undefined;

const REVIEW_VERBS: Partial<Record<string, string>> = {
  APPROVED: 'approved',
  HAS_ISSUES: 'sentBack',
  REJECTED: 'rejected',
  RECEIVED: 'reviewUndone',
};

const VERBS: Partial<Record<string, Verb>> = {
  User: (of) => {
    const status = of.get('approvalStatus')?.after;
    if (typeof status === 'string') return status === 'PENDING' ? 'waiting' : status.toLowerCase();
    return of.has('role')
      ? 'role'
      : of.has('permissions')
        ? 'grants'
        : of.has('location')
          ? 'moved'
          : of.has('finding')
            ? 'dismissed'
            : undefined;
  },
  Survey: (of, changes) => {
    if (of.get('deletedAt')?.after === null) return 'restored';
    const code = of.get('referralCode');
    if (code && !code.erased) return code.after === null ? 'couponLost' : 'coupon';
    if (of.has('status')) return 'finished';
    if (changes.some(({ path }) => path.startsWith('responses.'))) return 'corrected';
    if (of.has('finding') || of.has('repeatFinding')) return 'dismissed';
    const review = REVIEW_VERBS[String(of.get('review')?.after)];
    if (review) return review;
    return of.has('issuedCodes') ? 'coupons' : of.has('flags') ? 'flags' : undefined;
  },
  Incentive: (of) => {
    const state = of.get('state')?.after;
    return state === 'DUE' ? 'reopened' : typeof state === 'string' ? state.toLowerCase() : undefined;
  },
  CashDay: (of) => (of.get('state')?.after === 'REOPENED' ? 'reopened' : undefined),
  Round: (of) => ({ CLOSED: 'closed', OPEN: 'reopened' })[String(of.get('state')?.after)],
  Card: (of) => {
    const state = of.get('state')?.after;
    return state === 'GIVEN' ? 'given' : state === 'VOID' ? 'voided' : undefined;
  },
  Location: (of) => (of.get('deletedAt')?.after === null ? 'reopened' : undefined),
  Questionnaire: (of) => (of.has('active') ? 'activated' : undefined),
  ReferralCode: (of) => (of.has('givenUpAt') ? 'lost' : of.has('state') ? 'withdrawn' : undefined),
};

/** Left out because they follow from the rest: the event already has a person and a time. */
const DERIVED_FIELDS = ['approvedBy', 'locationAssignedAt', 'lateCodes'];
export const isShownChange = ({ path }: { path: string }) => !DERIVED_FIELDS.includes(path);
