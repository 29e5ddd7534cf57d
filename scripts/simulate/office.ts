/**
 * The office of a simulated study. Each evening it reviews the interviews that came in until yesterday, and pays recruiters who
 * came back; flagged interviews and those with findings are left for a person to decide.
 */
import type { Client } from './client.ts';
import type { Random } from './random.ts';
import type { Team } from './team.ts';

const DAY_MS = 86_400_000;
/** Of recruiters who are owed something for longer than a day, how many come back on a day. */
const DAILY_RETURN_SHARE = 0.15;
/** Every so many days an interview is sent back. */
const SENT_BACK_EVERY = 7;

interface Listed {
  id: string;
  createdAt: string;
  flags?: unknown[];
}

export interface Office {
  evening(day: number, now: Date): Promise<void>;
  /** When fieldwork is over: the rest is reviewed, and everybody who is owed something comes for it. */
  wrapUp(): Promise<void>;
}

export function openOffice(client: Client, { root, admin }: Team, random: Random): Office {
  const list = async (path: string) => (await client.must<{ data: Listed[] }>('GET', path, root.token)).data;
  const isOld = ({ createdAt }: Listed, now: Date) => now.getTime() - Date.parse(createdAt) > DAY_MS;

  async function review(day: number, now: Date): Promise<void> {
    const suspect = new Set((await list('/api/surveys?finding=any&limit=200')).map(({ id }) => id));
    const open = await list('/api/surveys?review=RECEIVED&status=COMPLETED&sort=createdAt&limit=200');
    const ids = open
      .filter((one) => isOld(one, now) && one.flags?.length === 0 && !suspect.has(one.id))
      .map(({ id }) => id);
    const sentBack = day % SENT_BACK_EVERY === SENT_BACK_EVERY - 1 ? ids.splice(0, 1) : [];
    const comment = 'Six of the questions have no answer. Were they asked?';
    for (const review of [
      { ids, state: 'APPROVED' },
      { ids: sentBack, state: 'HAS_ISSUES', comment },
    ])
      if (review.ids.length > 0) await client.must('POST', '/api/surveys/review', root.token, review);
  }

  async function pay(day: number, now: Date): Promise<void> {
    const due = await list('/api/incentives?state=DUE&sort=createdAt&limit=200');
    const own = random.fork(`paid on day ${day}`);
    const payments = due
      .filter((one) => isOld(one, now) && own.chance(DAILY_RETURN_SHARE))
      .map(({ id }) => ({ id, method: 'CASH', clientId: own.uuid() }));
    if (payments.length > 0) await client.must('POST', '/api/incentives/pay', admin.token, { payments });
  }

  async function approveAll(): Promise<void> {
    const open = await list('/api/surveys?review=RECEIVED&status=COMPLETED&sort=createdAt&limit=200');
    const ids = open.filter(({ flags }) => flags?.length === 0).map(({ id }) => id);
    if (ids.length === 0) return;
    await client.must('POST', '/api/surveys/review', root.token, { ids, state: 'APPROVED' });
    await approveAll();
  }

  async function payAll(): Promise<void> {
    const due = await list('/api/incentives?state=DUE&sort=createdAt&limit=100');
    const payments = due.map(({ id }) => ({ id, method: 'CASH', clientId: random.uuid() }));
    if (payments.length === 0) return;
    await client.must('POST', '/api/incentives/pay', admin.token, { payments });
    await payAll();
  }

  return {
    async evening(day, now) {
      await review(day, now);
      await pay(day, now);
    },
    async wrapUp() {
      await approveAll();
      await payAll();
    },
  };
}
