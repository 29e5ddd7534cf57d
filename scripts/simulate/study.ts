/** A whole simulated study: the hidden population, the team, the days of fieldwork, and the results. */
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { calendar } from './calendar.ts';
import type { Client } from './client.ts';
import { type Crew, Fieldwork, type Outcome, type Questionnaire } from './fieldwork.ts';
import type { Manner } from './made-up.ts';
import { makePopulation, type Shape, type Truth, truthOf } from './population.ts';
import { randomFrom } from './random.ts';
import type { Site, Worker } from './team.ts';

/** How long before the first site opens the team gets ready. */
const EARLIER = 3_600_000;

export interface StudyPlan extends Shape {
  randomSeed: string;
  seeds: number;
  respondents: number;
  days: number;
  offline: number;
  /** How many interviewers make interviews up. */
  fabricators: number;
  end: Date;
  zone: string;
  /** As a study in the middle of fieldwork: quieter days, people who come twice, an office that reviews and pays. */
  lifelike?: boolean;
  /** Interviews that are wanted, and days until the study's end after the simulated ones; by default it ends complete. */
  ahead?: { interviews: number; days: number };
  /** What the study pays; interviews are paid in cash right away, recruits stay due. Without it nothing is paid. */
  incentives?: { currency: string; interview: string; recruit: string; recruitLimit: number };
  /** The name of its round; by default the one that a new database has. */
  round?: string;
  /** A round of the same study that was closed before. */
  earlier?: StudyPlan;
}

export interface SimulationResult {
  truth: Truth;
  outcome: Outcome;
  /** By the id that the device gave them. */
  madeUp: ReadonlyMap<string, Manner>;
  requests: number;
  seconds: number;
}

/** When the team gets ready on the first day. */
export function startOf({ end, days: length, zone }: StudyPlan): Date {
  const { days, toReal } = calendar(end, length, zone);
  return toReal((days[0]?.open ?? 0) - EARLIER);
}

export async function simulateStudy(
  plan: StudyPlan,
  crew: Crew,
  onStep: (interviews: number) => void,
): Promise<SimulationResult> {
  const random = randomFrom(plan.randomSeed);
  const people = makePopulation(plan, random.fork('population'));
  const days = calendar(plan.end, plan.days, plan.zone);
  const { client, planter } = crew;
  const { couponsPerSurvey } = await client.must<{ couponsPerSurvey: number }>(
    'GET',
    '/api/study',
    planter.token,
  );
  const questionnaire = await knownQuestionnaire(client, planter.token, plan.lifelike);
  const { respondents, seeds, offline, fabricators, lifelike = false } = plan;
  const fieldwork = new Fieldwork(
    {
      ...{ people, random, calendar: days, respondents, seeds, couponsPerSurvey },
      ...{ offline, fabricators, questionnaire, lifelike, pays: plan.incentives !== undefined },
    },
    crew,
  );
  const [begin, before] = [performance.now(), client.requests];
  const outcome = await fieldwork.run(onStep);
  const seconds = (performance.now() - begin) / 1000;
  const requests = client.requests - before;
  return { truth: truthOf(people), outcome, madeUp: fieldwork.madeUp, requests, seconds };
}

/** Why fewer interviews were held than wanted; null where all were. */
export function whyFewer({ interviews, tooLate }: Outcome, target: number): string | null {
  if (interviews >= target) return null;
  const progress = `${interviews} of ${target} interviews done`;
  if (tooLate === 0) {
    return `${progress}: the chains ended because no one with a coupon was left. Use more seeds or a larger population.`;
  }
  const people = tooLate === 1 ? 'one more person' : `${tooLate} more people`;
  return `${progress}: the days ended before ${people} came. Use more days or more seeds.`;
}

/** Simulated people can answer one questionnaire; its latest version where it was made for them. */
async function knownQuestionnaire(client: Client, token: string, latest = false): Promise<Questionnaire> {
  const { data } = await client.must<{
    data: { id: string; name: string; version: number; definition: object }[];
  }>('GET', '/api/questionnaires?limit=200', token);
  const versions = data.filter(({ name }) => name === DEFAULT_QUESTIONNAIRE.name);
  const targetVersion = latest ? Math.max(...versions.map(({ version }) => version)) : 1;
  const questionnaire = versions.find(({ version }) => version === targetVersion);
  if (!questionnaire)
    throw new Error(`The service does not have the questionnaire "${DEFAULT_QUESTIONNAIRE.name}".`);
  // A study that began with an earlier edition does not ask all of them.
  const names = JSON.stringify(questionnaire.definition).matchAll(/"name":"([^"]+)"/g);
  return { id: questionnaire.id, asks: new Set([...names].flatMap(([, name]) => name ?? [])) };
}

/** A service that runs already: those whose tokens are given hold the interviews, at the sites that there are. */
export async function fieldTeamOf(client: Client, tokens: string[]): Promise<Crew> {
  const { data: sites } = await client.must<{ data: Site[] }>('GET', '/api/locations', null);
  if (sites.length === 0) throw new Error('The service has no locations yet.');
  const volunteers = tokens.map((token, at): Worker => {
    return { name: `Token ${at + 1}`, role: 'VOLUNTEER', phone: '', site: at % sites.length, token };
  });
  const [planter] = volunteers;
  if (!planter) throw new Error('A token is needed.');
  return { client, planter, volunteers, sites, signIn: async () => {}, setNow: () => {} };
}
