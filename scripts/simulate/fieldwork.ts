/**
 * Simulates fieldwork. Seeds come first; respondents give coupons to people they know, who come some days later or
 * never. Volunteers interview; some of their devices are offline for a day or longer and send interviews later.
 * Coupons are copied, lost and mistyped; some people decline. Randomness depends on the service's replies only as far
 * as success and failure, so one random seed gives one tree.
 */

import { DAY_MS } from '../../src/platform/lib/day.ts';
import { DECLINED_ANSWERS, makeAnswers } from './answers.ts';
import { type Calendar, nextOpen } from './calendar.ts';
import type { Client } from './client.ts';
import { type Device, fillStock, isValid, newDevice, submit, sync } from './devices.ts';
import { EventQueue } from './event-queue.ts';
import { identityOf } from './identity.ts';
import {
  KEPT_COUPONS_SHARE,
  type Manner,
  madeUpAnswers,
  madeUpPosition,
  mannerOf,
  timesOf,
} from './made-up.ts';
import { durationOf, positionAt, withReluctance } from './noise.ts';
import type { Office } from './office.ts';
import type { Person } from './population.ts';
import type { Random } from './random.ts';
import type { Site, Worker } from './team.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Of the coupons that are handed out, how many come back, and after how many days (median and spread). */
const RETURNED_SHARE = 0.65;
const DELAY = { median: 1.3, sigma: 0.7 };
const COPIED_SHARE = 0.015;
const MISTYPED_SHARE = 0.02;
const DECLINED_SHARE = 0.015;
const WALK_IN_SHARE = 0.03;
/** The later days hold more interviews than the first, as chains grow. */
const WEEKLY_GROWTH = 1.4;
/** How busy a day is, from Sunday to Saturday, and how much that varies. */
const RHYTHM = [0.3, 1, 1.1, 1.15, 1, 0.9, 0.5];
const VARIATION = 0.35;
/** How many of those interviewed come again without a coupon. */
const REPEAT_SHARE = 0.008;
/** Codes for a day without network. */
const STOCK = 60;

export interface Plan {
  people: Person[];
  random: Random;
  calendar: Calendar;
  respondents: number;
  seeds: number;
  couponsPerSurvey: number;
  /** The share of days that a device is without network. */
  offline: number;
  /** How many interviewers make interviews up. */
  fabricators: number;
  questionnaire: Questionnaire;
  /** With quieter days, and people who come twice. */
  lifelike: boolean;
  /** Interviews are paid in cash. */
  pays: boolean;
}

export interface Questionnaire {
  id: string;
  /** Names of its questions. */
  asks: ReadonlySet<string>;
}

export interface Crew {
  client: Client;
  planter: Worker;
  volunteers: Worker[];
  sites: Site[];
  office?: Office;
  signIn(): Promise<void>;
  setNow(at: Date): void;
}

export interface Outcome {
  interviews: number;
  seeds: number;
  walkIns: number;
  declined: number;
  heldOffline: number;
  madeUp: number;
  turnedAway: number;
  /** People with a coupon who would have come after the last day. */
  tooLate: number;
  flags: Record<string, number>;
}

interface Visit {
  person: Person;
  /** Null for someone without one. */
  coupon: string | null;
  site: number;
}

export class Fieldwork {
  readonly outcome: Outcome = {
    interviews: 0,
    seeds: 0,
    walkIns: 0,
    declined: 0,
    heldOffline: 0,
    madeUp: 0,
    turnedAway: 0,
    tooLate: 0,
    flags: {},
  };
  /** By the id that the device gave the interview. */
  readonly madeUp = new Map<string, Manner>();
  readonly #agenda = new EventQueue();
  readonly #devices: Device[];
  /** Who has taken part, or holds a coupon. */
  readonly #reached = new Set<Person>();
  readonly #plan: Plan;
  readonly #crew: Crew;
  readonly #random: Random;
  /** What share of the interviews has been held by the end of each day. */
  readonly #shares: number[];
  #underWay = 0;
  #coming = 0;
  /** How many interviews the sites can still begin today. */
  #room = 0;
  #now = 0;
  /** When the sites close today. */
  #closing = 0;

  constructor(plan: Plan, crew: Crew) {
    this.#plan = plan;
    this.#crew = crew;
    this.#random = plan.random.fork('fieldwork');
    this.#shares = sharesOf(plan);
    // The last ones: whoever signs in to the demo as a volunteer is the first.
    this.#devices = crew.volunteers.map((worker, at) =>
      newDevice(worker, mannerOf(crew.volunteers.length - 1 - at, plan.fabricators)),
    );
  }

  /** `onStep` is told how many interviews were held; it may throw to end the study there. */
  async run(onStep: (interviews: number) => void): Promise<Outcome> {
    const { days, end, toReal } = this.#plan.calendar;
    days.forEach(({ open, close }, index) => {
      this.#agenda.add(open - 30 * MINUTE, () => this.#morning(index));
      this.#agenda.add(Math.min(close + 30 * MINUTE, end), () => this.#evening(index));
    });
    for (let next = this.#agenda.next(); next; next = this.#agenda.next()) {
      this.#now = Math.min(next.at, end);
      this.#crew.setNow(toReal(this.#now));
      await next.act();
      onStep(this.outcome.interviews);
    }
    for (const device of this.#devices) await this.#sync(device);
    return this.outcome;
  }

  async #morning(index: number): Promise<void> {
    const { calendar, respondents, offline, seeds, random } = this.#plan;
    const { days } = calendar;
    await this.#crew.signIn();
    this.#closing = days[index]?.close ?? 0;
    this.#room = Math.ceil(respondents * (this.#shares[index] ?? 1)) - this.outcome.interviews;
    for (const [at, device] of this.#devices.entries()) {
      device.freeAt = 0;
      // The first day is one of instruction, at the office.
      const chance = random.fork(`offline ${index} ${at}`);
      if (index === 0 || !device.online || !chance.chance(offline)) continue;
      await fillStock(this.#crew.client, device, STOCK);
      device.online = false;
    }
    if (index === 0) await this.#plant(seeds);
    // Where chains end too early, staff look for further seeds.
    else if (this.#coming < this.#room / 2) await this.#plant(Math.ceil(seeds / 4));
    const walkIns = (WALK_IN_SHARE * respondents) / days.length;
    for (let remaining = walkIns; remaining > 0; remaining--) {
      if (remaining >= 1 || this.#random.chance(remaining)) this.#expect(this.#stranger(1), null, this.#now);
    }
  }

  async #evening(index: number): Promise<void> {
    await this.#crew.office?.evening(index, this.#plan.calendar.toReal(this.#now));
    for (const device of this.#devices) {
      if (device.online) continue;
      const chance = this.#random.next();
      const later = this.#plan.calendar.days[index + (chance < 0.9 ? 1 : 2)];
      // Two in five volunteers get to a network a day later, or two.
      if (chance < 0.6 || !later) await this.#sync(device);
      else this.#agenda.add(later.close + 15 * MINUTE, () => this.#sync(device));
    }
  }

  async #sync(device: Device): Promise<void> {
    this.#note(await sync(this.#crew.client, device));
  }

  #note(flags: string[]): void {
    for (const flag of flags) this.outcome.flags[flag] = (this.outcome.flags[flag] ?? 0) + 1;
  }

  async #plant(count: number): Promise<void> {
    const { client, planter, sites } = this.#crew;
    for (let index = 0; index < count; index++) {
      const site = this.outcome.seeds % sites.length;
      const body = { location: sites[site]?.id, note: 'Chosen by staff: knows many people.' };
      const { referralCode } = await client.must<{ referralCode: string }>(
        'POST',
        '/api/seeds',
        planter.token,
        body,
      );
      this.outcome.seeds += 1;
      this.#expect(this.#stranger(3), referralCode, this.#now);
    }
  }

  /** Someone new: of `candidates` people the one who knows the most. */
  #stranger(candidates: number): Person | null {
    const { people } = this.#plan;
    const picks = Array.from({ length: candidates }, () => this.#random.pick(people));
    const fresh = picks.filter((person) => !this.#reached.has(person));
    return fresh.sort((a, b) => b.neighbours.length - a.neighbours.length)[0] ?? null;
  }

  #expect(person: Person | null, coupon: string | null, from: number): void {
    if (!person) return;
    const { calendar, random } = this.#plan;
    const sites = this.#crew.sites.length;
    const own = random.fork(`visit ${person.number} ${from}`);
    const site = own.chance(0.8) ? person.number % sites : own.below(sites);
    const at = nextOpen(calendar.days, from, own);
    this.#reached.add(person);
    if (at === null) {
      this.outcome.tooLate += 1;
      return;
    }
    this.#coming += 1;
    this.#agenda.add(at, () => this.#arrive({ person, coupon, site }));
  }

  async #arrive(visit: Visit): Promise<void> {
    this.#coming -= 1;
    if (this.outcome.interviews + this.#underWay >= this.#plan.respondents) return;
    if (this.#room <= 0) {
      const tomorrow = this.#plan.calendar.days.find((day) => day.open > this.#now);
      if (tomorrow) this.#expect(visit.person, visit.coupon, tomorrow.open - 1);
      else this.outcome.tooLate += 1;
      return;
    }
    const device = this.#deviceAt(visit.site);
    if (visit.coupon && device.online && !(await this.#couponIsGood(device, visit.coupon))) {
      this.outcome.turnedAway += 1;
      return;
    }
    const begin = Math.max(this.#now, device.freeAt);
    const own = this.#plan.random.fork(`duration ${visit.person.number}`);
    const took = durationOf(12 + this.#random.below(14), own);
    const finish = Math.min(begin + took, this.#plan.calendar.end);
    device.freeAt = finish;
    this.#room -= 1;
    this.#underWay += 1;
    this.#agenda.add(finish, () => this.#finish(visit, device, Math.min(begin, finish)));
  }

  #deviceAt(site: number): Device {
    const here = this.#devices.filter((device) => device.worker.site === site);
    const from = here.length > 0 ? here : this.#devices;
    return from.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
  }

  async #couponIsGood(device: Device, coupon: string): Promise<boolean> {
    if (this.#random.chance(MISTYPED_SHARE)) {
      const wrong = coupon.slice(0, 7) + (coupon.endsWith('A') ? 'B' : 'A');
      await isValid(this.#crew.client, device, wrong);
    }
    return await isValid(this.#crew.client, device, coupon);
  }

  async #finish(visit: Visit, device: Device, begin: number): Promise<void> {
    const { person, coupon, site } = visit;
    const own = this.#plan.random.fork(`answers ${person.number} ${coupon === null}`);
    const declines = own.chance(DECLINED_SHARE);
    const clientId = own.uuid();
    const answers = declines ? DECLINED_ANSWERS : this.#answers(person, own, coupon);
    const noise = own.fork('noise');
    const interview = {
      ...this.#interview(visit, begin, withReluctance(answers, noise)),
      ...positionAt(this.#crew.sites[site]?.coordinates, noise),
      ...(declines ? {} : this.#payment()),
      clientId,
    };
    this.#underWay -= 1;
    const coupons = await this.#hand(device, interview);
    if (!coupons) {
      this.outcome.turnedAway += 1;
      return;
    }
    this.outcome.interviews += 1;
    if (coupon === null) this.outcome.walkIns += 1;
    if (declines) this.outcome.declined += 1;
    else if (device.manner && own.fork('kept').chance(KEPT_COUPONS_SHARE))
      this.#makeUp(device, device.manner, coupons);
    else this.#recruit(person, coupons);
    // Someone who comes again says that it is the first time.
    if (this.#plan.lifelike && coupon && own.fork('again').chance(REPEAT_SHARE))
      this.#expect(person, null, this.#now + DAY_MS * (1 + own.below(4)));
  }

  #answers(person: Person, random: Random, coupon: string | null): Record<string, unknown> {
    return { ...makeAnswers(person, random, coupon !== null), ...identityOf(person) };
  }

  /** What all interviews have; it ends now. */
  #interview({ site, coupon }: Visit, begin: number, answers: Record<string, unknown>) {
    const { questionnaire, calendar } = this.#plan;
    const entries = Object.entries(answers).filter(([name]) => questionnaire.asks.has(name));
    return {
      location: this.#crew.sites[site]?.id,
      questionnaire: questionnaire.id,
      responses: Object.fromEntries(entries),
      startedAt: calendar.toReal(begin).toISOString(),
      completedAt: calendar.toReal(this.#now).toISOString(),
      ...(coupon && { referralCode: coupon }),
    };
  }

  #payment() {
    return this.#plan.pays ? { incentive: { method: 'CASH' } } : {};
  }

  /** One after the other, until two hours after the sites have closed. */
  #makeUp(device: Device, manner: Manner, coupons: string[]): void {
    const { random, respondents, calendar } = this.#plan;
    const { site } = device.worker;
    let from = Math.max(this.#now, device.freeAt);
    for (const coupon of coupons) {
      const person = this.#stranger(1);
      if (!person) continue;
      const { pause, duration } = timesOf(manner, random.fork(`made up ${person.number}`));
      const [begin, finish] = [from + pause, from + pause + duration];
      if (finish > Math.min(this.#closing + 2 * HOUR, calendar.end)) return;
      if (this.outcome.interviews + this.#underWay >= respondents) return;
      this.#reached.add(person);
      this.#underWay += 1;
      device.freeAt = from = finish;
      this.#agenda.add(finish, () => this.#fillIn({ person, coupon, site }, device, manner, begin));
    }
  }

  async #fillIn(visit: Visit, device: Device, manner: Manner, begin: number): Promise<void> {
    const own = this.#plan.random.fork(`made up answers ${visit.person.number}`);
    const clientId = own.uuid();
    const answers = madeUpAnswers(manner, this.#answers(visit.person, own, visit.coupon), own);
    const interview = {
      ...this.#interview(visit, begin, answers),
      ...madeUpPosition(manner, this.#crew.sites[visit.site]?.coordinates, own),
      ...this.#payment(),
      clientId,
    };
    this.#underWay -= 1;
    if (!(await this.#hand(device, interview))) return;
    this.outcome.interviews += 1;
    this.outcome.madeUp += 1;
    this.madeUp.set(clientId, manner);
  }

  /** The coupons for the respondent; null where the service refused the one that the respondent brought. */
  async #hand(device: Device, interview: object): Promise<string[] | null> {
    if (device.online) {
      const stored = await submit(this.#crew.client, device, interview);
      this.#note(stored?.flags.map((flag) => flag.code) ?? []);
      return stored?.issuedCodes ?? null;
    }
    const issuedCodes = device.stock.splice(0, this.#plan.couponsPerSurvey);
    device.outbox.push({ ...interview, issuedCodes, onCodeProblem: 'FLAG' });
    this.outcome.heldOffline += 1;
    return issuedCodes;
  }

  #recruit(person: Person, coupons: string[]): void {
    const { people, random } = this.#plan;
    const own = random.fork(`recruits of ${person.number}`);
    const circle = own.shuffle(person.neighbours.map((number) => people[number] as Person));
    const free = circle.filter((friend) => !this.#reached.has(friend));
    for (const coupon of coupons) {
      const friend = free.pop() ?? null;
      const copied = own.chance(COPIED_SHARE);
      const returned = own.chance(RETURNED_SHARE);
      const delay = own.around(DELAY.median, DELAY.sigma) * DAY_MS;
      if (returned) this.#expect(friend, coupon, this.#now + delay);
      else if (friend) this.#reached.add(friend);
      if (copied) this.#expect(free.pop() ?? null, coupon, this.#now + delay + DAY_MS);
    }
  }
}

/** Growing from day to day. A lifelike study also has quiet weekends, better and worse days, and a last day that has just begun. */
function sharesOf({ calendar: { days, toReal }, lifelike, random }: Plan): number[] {
  const grown = (day: number) => (day / days.length) ** WEEKLY_GROWTH;
  if (!lifelike) return days.map((_, index) => grown(index + 1));
  const full = days[0] ? days[0].close - days[0].open : 1;
  const weights = days.map(({ open, close }, index) => {
    const mood = 1 + VARIATION * (2 * random.fork(`mood ${index}`).next() - 1);
    const rhythm = RHYTHM[toReal(open).getUTCDay()] ?? 1;
    return (grown(index + 1) - grown(index)) * mood * rhythm * Math.min(1, (close - open) / full);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum / total;
  });
}
