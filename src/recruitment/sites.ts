/** A row for each site, those that fall behind first. */
import { Locations } from '../locations/model.ts';
import { dayNumber } from './forecast.ts';
import { type AskedAt, type Held, type HeldRow, heldNow } from './held.ts';
import type { RankedQuery } from './pace-schema.ts';
import { rankedPage } from './ranked-page.ts';

/** More sites than these no study has; an answer must have a bound. */
const MOST_SITES = 2_000;

/** `alone`: the reader is told of this site only, so not what share of all it has. */
export async function sitesOf(
  asked: AskedAt,
  query: RankedQuery,
  { site, alone }: { site: string | null; alone: boolean },
) {
  const [held, places] = await Promise.all([heldNow(asked, query.maxAge), placesNow()]);
  const ofSites = new Map<string, HeldRow[]>([...places].map((one) => [one, []]));
  for (const row of held.rows) {
    const ours = ofSites.get(row.site);
    if (ours) ours.push(row);
    else ofSites.set(row.site, [row]);
  }
  const all = alone ? null : held.rows.reduce((sum, row) => sum + (row.counts ? row.surveys : 0), 0);
  const rows = [...ofSites]
    .filter(([one]) => site === null || one === site)
    .map(([one, ours]) => rowOf(one, held, { ours, open: places.has(one), all }));
  return {
    asOf: held.asOf,
    ...rankedPage(rows, query, 'sites', ({ open, behind }) => (open ? behind : -1)),
  };
}

async function placesNow(): Promise<Set<string>> {
  const found = await Locations.find({ deletedAt: null }, { _id: 1 }).limit(MOST_SITES).lean();
  return new Set(found.map(({ _id }) => String(_id)));
}

interface About {
  ours: HeldRow[];
  open: boolean;
  all: number | null;
}

function rowOf(site: string, held: Held, { ours, open, all }: About) {
  const now = dayNumber(held.today);
  const counted = ours.filter(({ counts }) => counts);
  const sum = (rows: HeldRow[]) => rows.reduce((total, { surveys }) => total + surveys, 0);
  const between = (from: number, to: number) =>
    sum(counted.filter(({ day }) => now - dayNumber(day) >= from && now - dayNumber(day) <= to));
  const total = sum(counted);
  const [last7, before7] = [between(0, 6), between(7, 13)];
  // Of whole days: each morning would begin with sites that fall behind.
  const week = between(1, 7);
  const age = now - 7 - Math.min(...counted.map(({ day }) => dayNumber(day)));
  const average = age >= 7 && Number.isFinite(age) ? (7 * (total - between(0, 7))) / age : 0;
  const usual = Math.max(between(8, 14), average);
  const coupons = held.coupons.find((one) => one.site === site);
  return {
    id: site,
    location: site,
    open,
    today: between(0, 0),
    last7,
    before7,
    week,
    usual,
    behind: open && usual > week ? (usual - week) / Math.sqrt(usual) : 0,
    total,
    share: all === null ? null : all === 0 ? 0 : total / all,
    lastAt: counted.reduce<Date | null>((at, row) => (at && at > row.lastAt ? at : row.lastAt), null),
    issued: coupons?.issued ?? 0,
    returned: coupons?.returned ?? 0,
    refusals: sum(ours.filter(({ refused }) => refused)),
    interviewers: held.active.filter((one) => one.site === site).length,
  };
}
