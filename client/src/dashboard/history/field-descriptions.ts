/** Describes the fields and values of a change, without ids or technical names. Pure. */

import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { languageName } from '../../../../src/platform/lib/languages/language-name.ts';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import type { useDashboardText } from '../kit/words/dashboard-text.ts';
import { VALUE_LABEL_KEYS } from '../kit/words/value-labels.ts';
import type { RecordNames } from './record-name.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const CODE = /^[0-9A-HJKMNP-TV-Z]{8}$/;
const ID = /^[0-9a-f]{24}$/;
/** A state with a reason, such as that of a voided code: `VOID: reason`. */
const WITH_REASON = /^([A-Z_]+): (.+)$/s;

/** Stored values of settings that are on or off. */
const SWITCHES = new Set(['OFF', 'ON', 'AUTOMATIC', 'PIN', 'SMS']);

/** Settings made of several named values; the others are texts by language. */
const SETTINGS_WITH_PARTS = new Set(['incentives', 'messages', 'quietHours']);

/** Checks that it is a real date: a person's name might look like one. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const isPoint = (value: object): value is { latitude: number; longitude: number } =>
  'latitude' in value && 'longitude' in value;
const isGrant = (value: object): value is { action: string; subject: string; conditions: string[] } =>
  'conditions' in value && 'subject' in value;

/** Coordinates always read left to right, so right-to-left text wraps them in invisible marks. */
function pointIn(language: string, { latitude, longitude }: { latitude: number; longitude: number }): string {
  const point = `${latitude}, ${longitude}`;
  return textDirection(language) === 'rtl' ? `\u2066${point}\u2069` : point;
}

export interface AuditFieldDescription {
  field: string;
  /** Empty for no value. */
  describeValue(value: unknown): string;
}

type Words = Record<string, string>;

export interface FieldDescriptionFormatters extends ReturnType<typeof useDashboardText> {
  /** Meaning of each interview flag. */
  flags: Words;
  nameOf(names: RecordNames, id: string): string;
  momentOf(at: string, language: string): string;
  /** `at`: noon of that day, in UTC. */
  dayOf(at: string, language: string): string;
  numberOf(value: number, language: string): string;
}

export type DescribeField = (subject: string, path: string, names?: RecordNames) => AuditFieldDescription;

export interface FieldLabels {
  /** By path. */
  fields: Words;
  /** By path, for the study's settings. */
  settings: Words;
  /** By name, for parts of a setting: what the study pays, and its text messages. */
  parts: Words;
  /** By stored value, for the study's passkey setting. */
  passkeys: Words;
  /** By stored value. */
  values: Words;
}

/** Collecting these hundreds of texts takes milliseconds, so callers should cache them. */
export function fieldLabels({
  t,
  app,
  flags,
}: Pick<FieldDescriptionFormatters, 't' | 'app' | 'flags'>): FieldLabels {
  type More =
    | 'audit.field'
    | 'audit.value'
    | 'study.fields'
    | 'study.incentive'
    | 'study.texts'
    | 'study.secondFactor';
  const ofAll = (key: (typeof VALUE_LABEL_KEYS)[number] | More) => t(key, { returnObjects: true }) as Words;
  const { moneyDue, card, couponsExpire, afterHours, daysBefore, quietFrom, quietTo } = ofAll('study.texts');
  const texted = { moneyDue, card, couponsExpire, afterHours, daysBefore, from: quietFrom, to: quietTo };
  const roles = app('role', { returnObjects: true }) as unknown as Words;
  return {
    fields: ofAll('audit.field'),
    settings: ofAll('study.fields'),
    parts: { ...ofAll('study.incentive'), ...texted } as Words,
    passkeys: ofAll('study.secondFactor'),
    values: Object.assign({}, ...VALUE_LABEL_KEYS.map(ofAll), flags, roles, ofAll('audit.value')) as Words,
  };
}

export function auditFieldDescriber(
  tongue: FieldDescriptionFormatters,
  tables = fieldLabels(tongue),
): DescribeField {
  const { t, language, nameOf, momentOf, dayOf, numberOf } = tongue;
  const { fields, settings, parts, passkeys, values } = tables;
  const translated = (text: string) => (Object.hasOwn(values, text) ? values[text] : undefined);
  const grant = ({
    action,
    subject,
    conditions,
  }: {
    action: string;
    subject: string;
    conditions: string[];
  }) => {
    const part = (key: 'people.can' | 'people.records' | 'people.where', name: string) =>
      (t(key, { returnObjects: true }) as Words)[name] ?? '';
    const where = conditions.map((name) => part('people.where', name));
    const right = `${part('people.can', action)} ${part('people.records', subject)}`;
    return where.length > 0 ? `${right} (${where.join(t('common.comma'))})` : right;
  };
  const say = (names: RecordNames, path: string, value: unknown): string => {
    const each = (one: unknown) => say(names, path, one);
    if (value === null || value === undefined || value === '') return '';
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    if (typeof value === 'number') return numberOf(value, language);
    if (Array.isArray(value)) return value.map(each).filter(Boolean).join(t('common.comma'));
    if (typeof value === 'object') {
      if (isPoint(value)) return pointIn(language, value);
      if (isGrant(value)) return grant(value);
      if ('code' in value) return each(value.code);
      if ('title' in value || 'name' in value) {
        const { title, name } = value as { title?: Words; name?: string };
        return title?.[language] ?? title?.en ?? name ?? '';
      }
      if ('on' in value) {
        const { on, text, ...rest } = value as { on: boolean; text?: Words };
        return [each(on), each(rest), each(text)].filter(Boolean).join('; ');
      }
      // The others are texts by language.
      const labelOf = (key: string) =>
        (SETTINGS_WITH_PARTS.has(path) ? parts[key] : null) ?? languageName(key, language);
      return Object.entries(value)
        .filter(([, part]) => part !== null)
        .map(([key, part]) => `${labelOf(key)}: ${typeof part === 'object' ? each(part) : String(part)}`)
        .join('; ');
    }
    const text = String(value);
    if (ID.test(text)) return nameOf(names, text) || t('audit.gone');
    if (INSTANT.test(text) && isDay(text.slice(0, 10))) return momentOf(text, language);
    if (DAY.test(text) && isDay(text)) return dayOf(`${text}T12:00:00Z`, language);
    if (/code/i.test(path) && CODE.test(text)) return formatCode(text);
    if (path === 'languages') return languageName(text, language);
    const [, word = '', reason = ''] = WITH_REASON.exec(text) ?? [];
    return translated(text) ?? (translated(word) ? `${translated(word)}: ${reason}` : text);
  };
  return (subject, path, names = {}) => {
    const own = subject === 'Study' ? settings[path] : undefined;
    const setting = (value: unknown) => {
      if (path === 'secondFactor') return passkeys[String(value)];
      return SWITCHES.has(String(value)) ? t(value === 'OFF' ? 'audit.no' : 'audit.yes') : undefined;
    };
    return {
      field: own ?? fields[path] ?? t('audit.otherField'),
      describeValue: (value) => (own ? setting(value) : undefined) ?? say(names, path, value),
    };
  };
}
