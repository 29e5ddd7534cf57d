/**
 * Changes made during the study that may show in its figures: coupons, incentives, sites. Every chart over time marks
 * them.
 */
import { withQuery } from '../../../session/api.ts';
import { useLocationName } from '../../../session/records.ts';
import { useAbility } from '../../../session/session.tsx';
import type { ListOf } from '../../../wire.ts';
import type { AuditEvent } from '../data/desk-wire.ts';
import { useGet } from '../data/use-list.tsx';
import { useDeskText } from '../words/desk-text.ts';

export interface Mark {
  at: string;
  text: string;
}

/** In a drawing it stands as a letter, whose words are in the list below it. */
export interface SignedMark extends Mark {
  sign: string;
}

/** More letters than these could not be told apart. */
const MAX_SIGNS = 12;

/** The last ones, by time. */
export const withSigns = (marks: Mark[]): SignedMark[] =>
  marks.slice(-MAX_SIGNS).map((mark, at) => ({ ...mark, sign: String.fromCharCode(65 + at) }));

const FIELDS = ['couponsPerSurvey', 'couponValidDays', 'couponStartsAfterHours', 'incentives'] as const;
const MAX_MARKS = 200;

/** By time. `open`: whether this person may see them at all. */
export function useMarks(): { marks: Mark[]; open: boolean } {
  const { t } = useDeskText();
  const siteOf = useLocationName();
  const open = useAbility().can('read', 'AuditEvent');
  const asked = (subject: string) =>
    withQuery('/api/audit', { subject, limit: String(MAX_MARKS), sort: '-createdAt' });
  const study = useGet<ListOf<AuditEvent>>(asked('Study'), { open, every: 60_000 }).data?.data ?? [];
  const sites = useGet<ListOf<AuditEvent>>(asked('Location'), { open, every: 60_000 }).data?.data ?? [];
  const words = (value: unknown) => (value === null || value === undefined ? '–' : wordsOf(value));
  const ofStudy = study.flatMap(({ at, changes }) => {
    const said = FIELDS.flatMap((field) =>
      changes
        .filter(({ path }) => path === field || path.startsWith(`${field}.`))
        .map(({ before, after }) => t(`marks.${field}`, { before: words(before), after: words(after) })),
    );
    return said.length > 0 ? [{ at, text: said.join('; ') }] : [];
  });
  const ofSites = sites.flatMap(({ at, action, record, changes }) => {
    if (action === 'update' && !changes.some(({ path }) => path === 'active' || path === 'deletedAt'))
      return [];
    const name = nameIn(changes) ?? siteOf(record);
    return action === 'create' || action === 'delete'
      ? [{ at, text: t(`marks.site.${action}`, { name }) }]
      : [];
  });
  return { marks: [...ofStudy, ...ofSites].toSorted((a, b) => a.at.localeCompare(b.at)), open };
}

const wordsOf = (value: unknown): string =>
  typeof value === 'object'
    ? Object.values(value as object)
        .filter((one) => one !== null)
        .join(', ') || '–'
    : String(value);

function nameIn(changes: AuditEvent['changes']): string | null {
  const name = changes.find(({ path }) => path === 'name');
  const value = name?.after ?? name?.before;
  return typeof value === 'string' ? value : null;
}
