/** Simulates a study in a separate service, from an empty database to the last interview. */
import { setupToken } from '../../src/access/auth/setup-link.ts';
import type { Config } from '../../src/platform/config.ts';
import { addDays, dateAt } from '../../src/platform/lib/day.ts';
import { requireEmpty } from '../backup/restore.ts';
import { type Client, createClient } from './client.ts';
import { askForIdentity } from './identity.ts';
import { openOffice } from './office.ts';
import { randomFrom } from './random.ts';
import { startSimulated } from './service.ts';
import { type SimulationResult, type StudyPlan, simulateStudy } from './study.ts';
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
    let team: Team | undefined;
    const simulation = await simulateStudy(
      plan,
      async (start) => {
        service.setNow(start);
        team = await openStudy({
          client,
          service,
          setupToken: setupToken(config),
          perSite: Math.max(2, Math.ceil(plan.respondents / plan.days / 40)),
          study: {
            name: 'Simulated study',
            contact: CONTACT,
            couponValidDays: 21,
            targetSampleSize: plan.respondents + (plan.ahead?.interviews ?? 0),
            dueFrom: dateAt(start, plan.zone),
            dueTo: addDays(dateAt(plan.end, plan.zone), plan.ahead?.days ?? 0),
            ...(plan.incentives && { incentives: plan.incentives }),
          },
        });
        const { root, admin: planter, volunteers, sites, signIn } = team;
        if (plan.lifelike) await askForIdentity(client, root.token);
        const office = plan.lifelike ? openOffice(client, team, randomFrom(plan.randomSeed)) : undefined;
        const crew = { client, planter, volunteers, sites, signIn, setNow: service.setNow };
        return { ...crew, ...(office && { office }) };
      },
      onStep,
    );
    if (!team) throw new Error('the study was never opened');
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
