/** An independent count of the board's numbers from the raw records, with plain loops. */
import mongoose from 'mongoose';
import { DAY } from './random-study.ts';

// biome-ignore lint/suspicious/noExplicitAny: raw records
type Raw = any;

export interface Counting {
  now: Date;
  zone: string;
  location?: string;
  from?: Date;
  to?: Date;
}

const all = (name: string): Promise<Raw[]> => mongoose.connection.collection(name).find().toArray();

function tally<T>(items: T[], keyOf: (item: T) => unknown): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(String(keyOf(item)), (counts.get(String(keyOf(item))) ?? 0) + 1);
  return [...counts];
}

export async function plainCount({ now, zone, location, from, to }: Counting) {
  const [surveys, codes, seeds] = await Promise.all([all('surveys'), all('referralcodes'), all('seeds')]);
  /** By the device's clock, unless it is implausible. */
  const heldAt = ({ startedAt, completedAt, createdAt }: Raw): Date =>
    createdAt - startedAt > 365 * DAY || (completedAt && completedAt < startedAt) ? createdAt : startedAt;
  const alive = surveys.filter((one) => one.deletedAt === null);
  const counted = alive.filter(
    (one) =>
      (!location || String(one.location) === location) &&
      (!from || heldAt(one) >= from) &&
      (!to || heldAt(one) <= to),
  );
  const surveyOf = new Map(surveys.map((one) => [String(one._id), one]));
  const seedOf = new Map(seeds.map((one) => [String(one._id), one]));
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const isExpired = (code: Raw) => code.state === 'LIVE' && code.expiresAt !== null && code.expiresAt <= now;
  const isLive = (code: Raw) => code.state === 'LIVE' && !isExpired(code);
  const chainOf = (code: Raw) => String(surveyOf.get(String(code.survey))?.seed);
  const live = new Map(
    tally(
      codes.filter((one) => one.survey && isLive(one)),
      chainOf,
    ),
  );

  const isQuiet = (seed: string) =>
    alive
      .filter((one) => String(one.seed) === seed)
      .every((one) => one.createdAt < new Date(now.getTime() - 14 * DAY));
  const states = { live: ['ALIVE', 'SILENT'], none: ['NO_COUPONS', 'DIED'] };
  const stateOf = (seed: string) => states[live.has(seed) ? 'live' : 'none'][Number(isQuiet(seed))];

  const chains = [...new Set(counted.filter((one) => one.seed).map((one) => String(one.seed)))].map(
    (seed) => {
      const members = counted.filter((one) => String(one.seed) === seed);
      return {
        seed,
        referralCode: seedOf.get(seed).referralCode,
        kind: seedOf.get(seed).kind,
        location: String(seedOf.get(seed).location),
        surveys: members.length,
        maxWave: Math.max(...members.map((one) => one.wave)),
        lastAt: new Date(Math.max(...members.map((one) => one.createdAt))).toISOString(),
        liveCoupons: live.get(seed) ?? 0,
        productive: (live.get(seed) ?? 0) > 0,
        state: stateOf(seed),
      };
    },
  );
  const handedOut = codes.filter((one) => one.survey && surveyOf.has(String(one.survey)));
  const handedOutAt = (code: Raw) => {
    const issuer = surveyOf.get(String(code.survey));
    const isOdd = heldAt(issuer) !== issuer.startedAt;
    const ended = isOdd ? issuer.createdAt : (issuer.completedAt ?? issuer.createdAt);
    return (code.batch || code.reservedBy) && ended > code.createdAt ? ended : code.createdAt;
  };
  const returnedAt = (code: Raw) => heldAt(surveyOf.get(String(code.redeemedBy))).getTime();
  const siteOf = (code: Raw) => String(surveyOf.get(String(code.survey)).location);
  const sites = [...new Set(handedOut.map(siteOf))].sort();
  const used = seeds.filter((one) => one.survey !== null);

  const died = seeds.filter((seed) => {
    const members = alive.filter((one) => String(one.seed) === String(seed._id));
    return members.length > 0 && stateOf(String(seed._id)) === 'DIED';
  });
  const silent = sites.filter((site) => {
    const due = handedOut.filter((code) => {
      const at = heldAt(surveyOf.get(String(code.survey))).getTime();
      return siteOf(code) === site && at >= now.getTime() - 28 * DAY && at <= now.getTime() - 7 * DAY;
    });
    return due.length >= 10 && due.every((code) => code.state !== 'USED');
  });
  const twice = alive.filter((one) => one.flags.some((flag: Raw) => flag.code === 'REFERRAL_CODE_USED'));

  return {
    totals: {
      surveys: counted.length,
      completed: counted.filter((one) => one.status === 'COMPLETED').length,
      inProgress: counted.filter((one) => one.status === 'IN_PROGRESS').length,
      notTakingPart: counted.filter((one) => one.takesPart === false).length,
      rejected: counted.filter(
        (one) => one.status === 'COMPLETED' && one.takesPart !== false && one.review?.state === 'REJECTED',
      ).length,
      walkIns: counted.filter((one) => one.wave === 0 && seedOf.get(String(one.seed)).kind === 'WALK_IN')
        .length,
      flagged: counted.filter((one) => one.flags.length > 0).length,
      toReview: counted.filter((one) => one.status === 'COMPLETED' && !one.review).length,
      hasIssues: counted.filter((one) => one.review?.state === 'HAS_ISSUES').length,
      target: null,
    },
    byDay: tally(counted, (one) => `${calendar.format(heldAt(one))} ${one.location}`)
      .map(([key, n]) => ({ day: key.slice(0, 10), location: key.slice(11), surveys: n }))
      .sort((a, b) => (a.day + a.location < b.day + b.location ? -1 : 1)),
    waves: tally(counted, (one) => one.wave)
      .map(([wave, n]) => ({ wave: wave === 'null' ? null : Number(wave), surveys: n }))
      .sort((a, b) => (a.wave ?? 1e9) - (b.wave ?? 1e9)),
    chains: chains.sort((a, b) => b.surveys - a.surveys || (a.seed < b.seed ? -1 : 1)).slice(0, 50),
    allChains: chains,
    chainsTotal: chains.length,
    chainLengths: tally(chains, (one) => one.maxWave)
      .map(([maxWave, n]) => ({ maxWave: Number(maxWave), chains: n }))
      .sort((a, b) => a.maxWave - b.maxWave),
    recruitsEach: tally(
      counted.filter((one) => one.status === 'COMPLETED' && one.takesPart !== false),
      (one) => alive.filter((other) => String(other.recruiter) === String(one._id)).length,
    )
      .map(([recruits, n]) => ({ recruits: Number(recruits), surveys: n }))
      .sort((a, b) => a.recruits - b.recruits),
    coupons: {
      reserved: codes.filter((one) => one.state === 'RESERVED').length,
      live: codes.filter(isLive).length,
      returned: codes.filter((one) => one.state === 'USED').length,
      expired: codes.filter(isExpired).length,
      void: codes.filter((one) => one.state === 'VOID').length,
      ofSeeds: {
        live: codes.filter((one) => one.seed && isLive(one)).length,
        returned: codes.filter((one) => one.seed && one.state === 'USED').length,
      },
    },
    bySiteCoupons: sites.map((site) => ({
      location: site,
      issued: handedOut.filter((one) => siteOf(one) === site).length,
      returned: handedOut.filter((one) => siteOf(one) === site && one.state === 'USED').length,
    })),
    daysToReturn: tally(
      handedOut.filter((one) => one.state === 'USED'),
      (one) => Math.max(0, Math.floor((returnedAt(one) - handedOutAt(one)) / DAY)),
    )
      .map(([days, n]) => ({ days: Number(days), coupons: n }))
      .sort((a, b) => a.days - b.days),
    seeds: {
      planned: seeds.filter((one) => one.kind === 'PLANNED').length,
      walkIn: seeds.filter((one) => one.kind === 'WALK_IN').length,
      used: used.length,
      unused: seeds.length - used.length,
      productive: seeds.filter((one) => live.has(String(one._id))).length,
      silent: seeds.filter(
        ({ _id }) =>
          alive.some((one) => String(one.seed) === String(_id)) && stateOf(String(_id)) === 'SILENT',
      ).length,
    },
    alerts: {
      SEED_DIED: died.map((one) => String(one._id)).sort(),
      SITE_NOT_RETURNING: silent,
      CODE_PRESENTED_TWICE: twice.map((one) => String(one._id)).sort(),
    },
  };
}
