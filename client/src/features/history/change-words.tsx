/** Fields and values of a change, in words. */
import './change.css';
import { directionOf } from '../../../../src/lib/direction.ts';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { momentOf, numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { usePersonName } from '../people/person-names.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const CODE = /^[0-9A-HJKMNP-TV-Z]{8}$/;
const PEOPLE = ['approvedBy', 'createdBy', 'reservedBy'];

const isPoint = (value: unknown): value is { latitude: number; longitude: number } =>
  typeof value === 'object' && value !== null && 'latitude' in value && 'longitude' in value;

/** From the left, also in a text that is read from the right: the marks around it can not be seen. */
function pointIn(language: string, { latitude, longitude }: { latitude: number; longitude: number }): string {
  const point = `${latitude}, ${longitude}`;
  return directionOf(language) === 'rtl' ? `\u2066${point}\u2069` : point;
}

export interface FieldWords {
  field: string;
  /** Empty for nothing. */
  say(value: unknown): string;
}

export function useFieldWords(): (subject: string, path: string) => FieldWords {
  const { t, app, language } = useDeskText();
  const siteOf = useLocationName();
  const personOf = usePersonName();
  const fields = t('audit.field', { returnObjects: true }) as Record<string, string>;
  const values = t('audit.value', { returnObjects: true }) as Record<string, string>;
  const roles = app('role', { returnObjects: true }) as Record<string, string>;
  const flags = app('flag', { returnObjects: true }) as Record<string, string>;
  const word = (text: string): string => values[text] ?? roles[text] ?? flags[text] ?? text;
  const one = (path: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '';
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    if (typeof value === 'number') return numberOf(value, language);
    if (Array.isArray(value)) return value.map((part) => one(path, part)).join(t('common.comma'));
    if (isPoint(value)) return pointIn(language, value);
    if (typeof value === 'object') return 'code' in value ? one(path, value.code) : JSON.stringify(value);
    const text = String(value);
    if (path === 'location') return siteOf(text);
    if (PEOPLE.includes(path)) return personOf(text);
    if (INSTANT.test(text)) return momentOf(text, language);
    return /code/i.test(path) && CODE.test(text) ? formatCode(text) : word(text);
  };
  return (_subject, path) => {
    const answer = /^responses\.(.+)$/.exec(path)?.[1];
    const field = answer ? t('audit.answer', { name: answer }) : (fields[path] ?? path);
    return { field, say: (value) => one(path, value) };
  };
}

/** One change: the field, what it was, what it is. */
export function Changed({ field, before, after }: { field: string; before: string; after: string }) {
  const { t } = useDeskText();
  return (
    <div className="change">
      <span>{field}:</span> <span>{t('audit.from')}</span>{' '}
      {before ? (
        <bdi>
          <del>{before}</del>
        </bdi>
      ) : (
        <span>{t('audit.nothing')}</span>
      )}{' '}
      <span>{t('audit.to')}</span>{' '}
      {after ? (
        <bdi>
          <ins>{after}</ins>
        </bdi>
      ) : (
        <span>{t('audit.nothing')}</span>
      )}
    </div>
  );
}
