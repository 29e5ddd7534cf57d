/** Which models a grant can refer to, and which the audit trail covers. Browser-safe. */
const NAMES = {
  User: { grantable: true, audited: true },
  Survey: { grantable: true, audited: true },
  Seed: { grantable: true, audited: true },
  Location: { grantable: true, audited: true },
  Questionnaire: { grantable: true, audited: true },
  ReferralCode: { grantable: true, audited: true },
  CodeBatch: { grantable: false, audited: true },
  Round: { grantable: false, audited: true },
  Study: { grantable: true, audited: true },
  Count: { grantable: false, audited: true },
  Incentive: { grantable: true, audited: true },
  Card: { grantable: true, audited: true },
  Message: { grantable: false, audited: true },
  CashDay: { grantable: false, audited: true },
  ReadToken: { grantable: false, audited: true },
  Recruitment: { grantable: true, audited: false },
  AuditEvent: { grantable: true, audited: false },
  /** A file that was downloaded. */
  Export: { grantable: false, audited: true },
} as const;

type Name = keyof typeof NAMES;
type NamesWith<F extends 'grantable' | 'audited'> = {
  [N in Name]: (typeof NAMES)[N][F] extends true ? N : never;
}[Name];

export type GrantableSubject = NamesWith<'grantable'>;
export type AuditedSubject = NamesWith<'audited'>;

const namesWith = (flag: 'grantable' | 'audited') =>
  (Object.keys(NAMES) as Name[]).filter((name) => NAMES[name][flag]);

export const GRANTABLE_SUBJECTS = namesWith('grantable') as [GrantableSubject, ...GrantableSubject[]];
export const AUDITED_SUBJECTS = namesWith('audited') as [AuditedSubject, ...AuditedSubject[]];
