/** The history as text: every event on every record, in each language, without ids or internal names. */
import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { EVENT_KINDS, eventKindOf } from '../../client/src/dashboard/history/event-kind.ts';
import {
  auditFieldDescriber,
  type FieldDescriptionFormatters,
} from '../../client/src/dashboard/history/field-descriptions.ts';
import type { AuditEvent } from '../../client/src/dashboard/kit/data/dashboard-wire.ts';
import languages from '../../locales/languages.json' with { type: 'json' };
import { FlagCode, SurveyStatus } from '../../src/interviews/surveys/schema.ts';
import { AuditAction } from '../../src/platform/audit/schema.ts';
import { AUDITED_SUBJECTS } from '../../src/platform/rights/names.ts';
import { LocationType } from '../../src/study/locations/schema.ts';
import { ApprovalStatus, Role } from '../../src/study/users/schema.ts';

const ID = '0123456789abcdef01234567';
const TONGUES = Object.keys(languages);
const HEX = /[0-9a-f]{24}/;

async function tongueOf(language: string): Promise<FieldDescriptionFormatters> {
  const texts = (file: string) => JSON.parse(readFileSync(`locales/${language}/${file}.json`, 'utf8'));
  const own = i18next.createInstance();
  const resources = { [language]: { dashboard: texts('dashboard'), field: texts('field') } };
  await own.init({ lng: language, resources, defaultNS: 'field', interpolation: { escapeValue: false } });
  const [t, app] = [own.getFixedT(language, 'dashboard'), own.getFixedT(language, 'field')];
  return {
    t,
    app,
    flags: texts('flags'),
    language,
    nameOf: () => '',
    momentOf: (at: string) => at,
    dayOf: (at: string) => `the day of ${at}`,
    numberOf: String,
  } as unknown as FieldDescriptionFormatters;
}

const event = (subject: string, more: Partial<AuditEvent>) =>
  ({ subject, record: ID, by: null, changes: [], names: {}, ...more }) as AuditEvent;
const change = (path: string, after: unknown = 'x') => ({ path, before: null, after });

/** Actions of only one kind of record. */
const KIND_OF_ACTION: Record<string, string> = {
  check: 'Questionnaire.checked',
  download: 'Export.downloaded',
  signOut: 'User.signedOut',
  endSession: 'User.sessionEnded',
  unseal: 'User.unsealed',
  signInCode: 'User.codeMade',
  signIn: 'User.signedIn',
  signInFailed: 'User.signInFailed',
  lockOut: 'User.lockedOut',
  erase: 'Survey.erased',
  read: 'Survey.read',
};

test('every action on every kind of record has an event kind', () => {
  for (const subject of AUDITED_SUBJECTS.filter((one) => one !== 'Export'))
    for (const action of AuditAction.options.filter((one) => !(one in KIND_OF_ACTION))) {
      const changes = action === 'update' ? [change('location', ID)] : [];
      expect([subject, action, eventKindOf(event(subject, { action, changes }))]).toEqual([
        subject,
        action,
        expect.stringContaining(`${subject}.`),
      ]);
    }
  for (const [action, kind] of Object.entries(KIND_OF_ACTION)) {
    const [subject = ''] = kind.split('.');
    expect(eventKindOf(event(subject, { action: action as AuditEvent['action'] }))).toBe(kind);
  }
  expect(eventKindOf(event('Weather', { action: 'update' }))).toBeNull();
});

test('the event kind follows from the changed fields', () => {
  const kinds: [subject: string, changes: AuditEvent['changes'], kind: string][] = [
    ['User', [change('approvalStatus', 'APPROVED'), change('approvedBy', ID)], 'approved'],
    ['User', [change('approvalStatus', 'REJECTED')], 'rejected'],
    ['User', [change('approvalStatus', 'PENDING')], 'waiting'],
    ['User', [change('role'), change('location')], 'role'],
    ['User', [change('permissions', [])], 'grants'],
    ['User', [change('location', null)], 'moved'],
    ['User', [change('firstName')], 'updated'],
    ['Survey', [change('referralCode'), change('seed', ID), change('flags', [])], 'coupon'],
    ['Survey', [change('referralCode', null), change('seed', null)], 'couponLost'],
    ['Survey', [change('deletedAt', null)], 'restored'],
    ['Survey', [change('status', 'COMPLETED'), change('responses.a')], 'finished'],
    ['Survey', [change('responses.a'), change('networkSize', 3)], 'corrected'],
    ['Survey', [change('review', 'APPROVED')], 'approved'],
    ['Survey', [change('review', 'HAS_ISSUES')], 'sentBack'],
    ['Survey', [change('review', 'REJECTED')], 'rejected'],
    ['Survey', [change('responses.a'), change('review', 'RECEIVED')], 'corrected'],
    ['Survey', [change('issuedCodes', [])], 'coupons'],
    ['Survey', [change('flags', [])], 'flags'],
    ['Survey', [change('coordinates', null)], 'updated'],
    ['Questionnaire', [change('active', true)], 'activated'],
    ['ReferralCode', [change('state', 'VOID: lost')], 'withdrawn'],
    ['ReferralCode', [change('givenUpAt')], 'lost'],
  ];
  for (const [subject, changes, kind] of kinds)
    expect([changes, eventKindOf(event(subject, { action: 'update', changes }))]).toEqual([
      changes,
      `${subject}.${kind}`,
    ]);
  expect(eventKindOf(event('User', { action: 'create', by: ID }))).toBe('User.signedUp');
  // Even if one may not read what it was.
  expect(eventKindOf(event('Survey', { action: 'update', automatic: true }))).toBe('Survey.followed');
});

test.each(TONGUES)(
  'every event kind has a sentence, every field a name and every value a text: %s',
  async (language) => {
    const tongue = await tongueOf(language);
    const { t } = tongue as unknown as { t(key: string, options?: object): string };
    for (const [subject, kinds] of Object.entries(EVENT_KINDS))
      for (const kind of kinds) {
        const label = t(`audit.told.${subject}.${kind}`, { which: 'Zoe' });
        expect([subject, kind, label]).toEqual([
          subject,
          kind,
          expect.not.stringMatching(/audit\.|{{|[0-9a-f]{24}/),
        ]);
        // There is only one study, and a list has no name.
        if (subject !== 'Study' && `${subject}.${kind}` !== 'Export.read') expect(label).toContain('Zoe');
      }
    const wordsOf = auditFieldDescriber(tongue);
    for (const [subject, path] of [
      ['User', 'location'],
      ['Survey', 'recruiter'],
      ['Export', 'questionnaire'],
    ] as const)
      for (const value of [ID, [ID, ID], null, true, 3])
        expect(wordsOf(subject, path).describeValue(value)).toEqual(expect.not.stringMatching(HEX));
    expect(wordsOf('User', 'shoeSize').field).toBe(t('audit.otherField'));
    expect(wordsOf('Study', 'name').field).toBe(t('study.fields.name'));
    const { describeValue } = wordsOf('User', 'status');
    const coded = [ApprovalStatus, Role, SurveyStatus, FlagCode, LocationType].flatMap((one) => one.options);
    for (const value of [...coded, 'RESERVED', 'LIVE', 'VOID'])
      expect([value, describeValue(value)]).toEqual([value, expect.not.stringMatching(/^[A-Z_]+$/)]);
    expect(describeValue('2026-12-15')).toBe('the day of 2026-12-15T12:00:00Z');
    // A name may look like a day.
    for (const name of ['2026-99-99', '2026-02-30', '2026-99-99T10:00:00Z', '2026-02-30T10:00'])
      expect(describeValue(name)).toBe(name);
    expect(describeValue('constructor')).toBe('constructor');
    expect(describeValue('VOID: eaten by a dog')).toMatch(/[^V].+: eaten by a dog$/);
    const grant = { action: 'read', subject: 'Survey', conditions: ['HAS_SAME_LOCATION'] };
    expect(describeValue([grant])).not.toMatch(/read|HAS_|object/);
    expect(describeValue([{ code: 'CLOCK_ODD', at: 'x' }])).toBe(describeValue('CLOCK_ODD'));
    for (const [path, on] of [
      ['deviceLock', 'PIN'],
      ['contacts', 'SMS'],
      ['analysisRuns', 'AUTOMATIC'],
      ['statusPage', 'ON'],
    ] as const)
      expect([on, 'OFF'].map(wordsOf('Study', path).describeValue)).toEqual([t('audit.yes'), t('audit.no')]);
    expect(wordsOf('Study', 'secondFactor').describeValue('REQUIRED')).toBe(t('study.secondFactor.REQUIRED'));
    const moneyDue = { on: true, text: { en: 'Come' }, afterHours: 24 };
    const texts = wordsOf('Study', 'messages').describeValue({ moneyDue, card: { on: false, text: {} } });
    expect(texts).toMatch(/24; .+: Come; /);
    expect(texts).toContain(`${t('study.texts.card')}: ${t('audit.no')}`);
    expect(texts).not.toMatch(/object|moneydue|afterhours/i);
    expect(describeValue({ en: 'Come', es: 'Venga' })).toMatch(/: Come; .+: Venga/);
  },
);
