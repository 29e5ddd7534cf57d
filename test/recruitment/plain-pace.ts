/** Independent numbers for pace, sites and interviewers, from the raw records and the documented formula. */
import jstat from 'jstat';
import mongoose from 'mongoose';

// biome-ignore lint/suspicious/noExplicitAny: raw records
type Raw = any;

const DAY = 86_400_000;
const STUDENT_T = jstat as unknown as { studentt: { inv(p: number, degrees: number): number } };

const all = (name: string): Promise<Raw[]> => mongoose.connection.collection(name).find().toArray();

const later = (day: string, days: number): string => {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
};
const between = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / DAY);

export async function plainRecords(now: Date, zone: string) {
  const [surveys, codes] = await Promise.all([all('surveys'), all('referralcodes')]);
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const alive = surveys
    .filter((one) => one.deletedAt === null)
    .map((one) => {
      const { startedAt, completedAt, createdAt } = one;
      const isOdd = createdAt - startedAt > 365 * DAY || (completedAt && completedAt < startedAt);
      const interviewAt: Date = isOdd ? createdAt : startedAt;
      return {
        ...one,
        site: String(one.location),
        isOdd,
        held: interviewAt,
        day: calendar.format(interviewAt),
      };
    });
  return {
    today: calendar.format(now),
    alive,
    counted: alive.filter((one) => one.status === 'COMPLETED' && one.takesPart !== false),
    sampled: alive.filter(
      (one) => one.status === 'COMPLETED' && one.takesPart !== false && one.review?.state !== 'REJECTED',
    ),
    refused: alive.filter((one) => one.status === 'COMPLETED' && one.takesPart === false),
    handedOut: codes
      .map((one) => ({ ...one, from: surveys.find((s) => String(s._id) === String(one.survey)) }))
      .filter(({ from }) => from),
  };
}

type Records = Awaited<ReturnType<typeof plainRecords>>;

export function plainPace({ today, sampled, handedOut }: Records, now: Date, request: Wish) {
  const { target, endsOn, site } = request;
  const ours = sampled.filter((one) => !site || one.site === site);
  const on = (day: string) => ours.filter((one) => one.day === day).length;
  const first = ours.map((one) => one.day).sort()[0] ?? today;
  const whole = between(first, today);
  const lastDays = (n: number) => Array.from({ length: n }, (_, i) => on(later(today, -1 - i)));
  const recent = lastDays(Math.min(14, whole));
  const daysLeft = endsOn === null ? null : Math.max(0, between(today, endsOn) + 1);
  const missing = target === null ? null : Math.max(0, target - ours.length);
  const coupons = plainCoupons(handedOut, now, ours.length, site);
  return {
    target,
    endsOn,
    total: ours.length,
    missing,
    today: on(today),
    byDay: [...new Set(ours.map((one) => one.day))].sort().map((day) => ({ day, surveys: on(day) })),
    pace: recent.length === 0 ? null : { perDay: sum(recent) / recent.length, days: recent.length },
    daysLeft,
    neededPerDay: missing === null || !daysLeft ? null : missing / daysLeft,
    coupons,
    forecast: plainForecast(
      lastDays([28, 21, 14, 7].find((n) => n <= whole) ?? 0),
      ours.length,
      on(today),
      today,
      request,
    ),
  };
}

interface Wish {
  target: number | null;
  endsOn: string | null;
  site?: string | undefined;
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** m k ± t sqrt(f m (k + k² / n)). */
function plainForecast(
  days: number[],
  total: number,
  already: number,
  today: string,
  { target, endsOn }: Wish,
) {
  const n = days.length;
  const m = sum(days) / n;
  const f = Math.max(1, sum(days.map((one) => (one - m) ** 2)) / (n - 1) / m);
  const t = STUDENT_T.studentt.inv(0.9, n - 1);
  const at = (k: number, side: number) =>
    Math.max(total, total - already + m * k + side * t * Math.sqrt(f * m * (k + (k * k) / n)));
  const firstDay = (side: number) => {
    for (let k = 1; k <= 5 * 365; k++) if (at(k, side) >= (target ?? 0)) return later(today, k - 1);
    return null;
  };
  const k = endsOn === null ? 0 : between(today, endsOn) + 1;
  return {
    days: n,
    perDay: m,
    dispersion: f,
    atEnd: k > 0 ? { expected: at(k, 0), low: at(k, -1), high: at(k, 1) } : null,
    targetMet: target === null ? null : { expected: firstDay(0), low: firstDay(1), high: firstDay(-1) },
  };
}

function plainCoupons(handedOut: Raw[], now: Date, total: number, site: string | undefined) {
  const ours = handedOut.filter(({ from }) => !site || String(from.location) === site);
  const isOver = ({ expiresAt, handedOutAt }: Raw) =>
    expiresAt ? expiresAt <= now : now.getTime() - handedOutAt.getTime() >= 28 * DAY;
  const out = ours.filter((one) => one.state === 'LIVE' && !isOver(one)).length;
  const settled = ours.filter((one) => one.state !== 'VOID' && isOver(one));
  const returned = settled.filter((one) => one.state === 'USED').length;
  const rate = settled.length < 10 ? null : returned / settled.length;
  return {
    issued: ours.length,
    out,
    settled: settled.length,
    returned,
    returnRate: rate,
    expected: rate === null ? null : Math.round(out * rate),
    recruitsEach: rate === null ? null : (ours.length / total) * rate,
  };
}

export function plainSites({ today, alive, sampled, refused, handedOut }: Records, places: string[]) {
  const rows = places.map((site) => {
    const ours = sampled.filter((one) => one.site === site);
    const ago = (from: number, to: number) =>
      ours.filter(({ day }) => between(day, today) >= from && between(day, today) <= to).length;
    const [last7, before7] = [ago(0, 6), ago(7, 13)];
    const first = ours.map(({ day }) => day).sort()[0];
    // Whole days only, because zero in the morning means nothing.
    const [week, older] = [ago(1, 7), ago(8, Number.POSITIVE_INFINITY)];
    const days = first ? between(first, later(today, -7)) : 0;
    const usual = Math.max(ago(8, 14), days >= 7 ? (older / days) * 7 : 0);
    const codes = handedOut.filter(({ from }) => String(from.location) === site);
    const recent = alive.filter((one) => one.site === site && between(one.day, today) <= 6);
    return {
      location: site,
      open: true,
      today: ago(0, 0),
      last7,
      before7,
      week,
      usual,
      behind: usual > week ? (usual - week) / Math.sqrt(usual) : 0,
      total: ours.length,
      share: ours.length / sampled.length,
      lastAt: ours.length
        ? new Date(Math.max(...ours.map(({ held: interviewAt }) => interviewAt))).toISOString()
        : null,
      issued: codes.length,
      returned: codes.filter((one) => one.state === 'USED').length,
      refusals: refused.filter((one) => one.site === site).length,
      interviewers: new Set(recent.map((one) => String(one.createdBy))).size,
    };
  });
  return rows.sort((a, b) => b.behind - a.behind || (a.location < b.location ? -1 : 1));
}

export function plainInterviewers({ today, alive, counted, sampled, refused }: Records, site?: string) {
  const here = (one: Raw) => !site || one.site === site;
  const people = [...new Set(alive.filter(here).map((one) => String(one.createdBy)))];
  const rows = people.map((id) => {
    const by = (one: Raw) => here(one) && String(one.createdBy) === id;
    const ours = sampled.filter(by);
    const minutes = ours
      .filter((one) => !one.isOdd)
      .map((one) => Math.floor((one.completedAt - one.startedAt) / 60_000))
      .sort((a, b) => a - b);
    const half = minutes.length / 2;
    return {
      id,
      interviews: ours.length,
      today: ours.filter(({ day }) => day === today).length,
      last7: ours.filter(({ day }) => between(day, today) <= 6).length,
      refusals: refused.filter(by).length,
      rejected: counted.filter(by).length - ours.length,
      medianMinutes: ((minutes[Math.ceil(half) - 1] ?? 0) + (minutes[Math.floor(half)] ?? 0)) / 2,
      flags: alive.filter((one) => by(one) && one.flags.length > 0).length,
      asked: 0,
      skipped: 0,
      skippedShare: null,
    };
  });
  return rows.sort((a, b) => b.interviews - a.interviews || (a.id < b.id ? -1 : 1));
}
