/** Simulates a study in a separate service, from an empty database to the last interview. */
import { setupToken } from '../../src/access/auth/setup-link.ts';
import type { Config } from '../../src/platform/config.ts';
import { addDays, isoDateAt } from '../../src/platform/lib/day.ts';
import { requireEmpty } from '../backup/restore.ts';
import { type Client, createClient } from './client.ts';
import { askForIdentity } from './identity.ts';
import { type Office, openOffice } from './office.ts';
import { randomFrom } from './random.ts';
import { type SimulatedService, startSimulated } from './service.ts';
import { type SimulationResult, type StudyPlan, simulateStudy, startOf } from './study.ts';
import { openStudy, signUpNewcomer, type Team } from './team.ts';

const CONTACT = 'Call or text 206 555 0142, daily 9-17';
/** People who sign up at the end and wait for approval. */
const NEWCOMERS = ['Nia Park', 'Noah Stein', 'Nora Blanc'];

export interface FinishedSimulation extends SimulationResult {
  client: Client;
  team: Team;
}

/** The database must be connected, prepared, and empty. */
export async function simulateInOwnService(
  config: Config,
  plan: StudyPlan,
  onStep: (interviews: number) => void,
  /** While the service still runs, at the study's end. */
  finish: (service: FinishedSimulation) => Promise<void> = async () => {},
): Promise<SimulationResult & { team: Team }> {
  await requireEmpty('Set DATA_DIR to a new folder.');
  const service = await startSimulated(config);
  try {
    const client = createClient(service.url);
    const first = plan.earlier ?? plan;
    service.setNow(startOf(first));
    const team = await openStudy({
      client,
      service,
      setupToken: setupToken(config),
      perSite: Math.max(2, Math.ceil(plan.respondents / plan.days / 40)),
      study: {
        name: 'Simulated study',
        contact: CONTACT,
        couponValidDays: 21,
        ...goalOf(first),
        ...(plan.incentives && { incentives: plan.incentives }),
      },
    });
    const { root, admin: planter, volunteers, sites, signIn } = team;
    if (plan.lifelike) await askForIdentity(client, root.token);
    const crew = { client, planter, volunteers, sites, signIn, setNow: service.setNow };
    if (plan.earlier) {
      await simulateStudy(plan.earlier, crew, () => {});
      const office = openOffice(client, team, randomFrom(plan.earlier.randomSeed));
      await changeRound(plan.earlier, plan, { client, service, team, office });
    }
    const office = plan.lifelike ? openOffice(client, team, randomFrom(plan.randomSeed)) : undefined;
    const simulation = await simulateStudy(plan, { ...crew, ...(office && { office }) }, onStep);
    const [site] = team.sites;
    for (const [at, name] of site ? NEWCOMERS.entries() : []) {
      if (site) await signUpNewcomer(client, service, { site, at, name });
    }
    await finish({ ...simulation, client, team });
    return { ...simulation, team };
  } finally {
    await service.stop();
  }
}

function goalOf(plan: StudyPlan) {
  return {
    targetSampleSize: plan.respondents + (plan.ahead?.interviews ?? 0),
    dueFrom: isoDateAt(startOf(plan), plan.zone),
    dueTo: addDays(isoDateAt(plan.end, plan.zone), plan.ahead?.days ?? 0),
  };
}

interface RoundChange {
  client: Client;
  service: SimulatedService;
  team: Team;
  office: Office;
}

/** The office finishes the old round and closes it on its last day; the new one opens on its first. */
async function changeRound(
  before: StudyPlan,
  after: StudyPlan,
  { client, service, team, office }: RoundChange,
): Promise<void> {
  const { root } = team;
  await office.wrapUp();
  const { data } = await client.must<{ data: { id: string }[] }>('GET', '/api/rounds', root.token);
  const path = `/api/rounds/${data[0]?.id}`;
  await client.must('PATCH', path, root.token, { name: before.round });
  await client.must('POST', `${path}/close`, root.token);
  service.setNow(startOf(after));
  await team.signIn();
  const { targetSampleSize, dueFrom, dueTo } = goalOf(after);
  const opened = { name: after.round, startsOn: dueFrom, endsOn: dueTo, targetSampleSize };
  await client.must('POST', '/api/rounds', root.token, opened);
  await client.must('PATCH', '/api/study', root.token, { dueFrom, dueTo });
}
