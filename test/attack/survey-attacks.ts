/** Attacks on interviews and their money: what somebody who works in the study tries. */
import { randomUUID } from 'node:crypto';
import { ANSWERS } from '../make.ts';
import type { Attack, Stage, send } from './attacks.ts';
import { ask } from './service-process.ts';

const CASH = { incentive: { method: 'CASH' } };

/** An interview that the admin enters for the volunteer, as if the volunteer had paid at it. */
async function forged({ service, admin, volunteer, root }: Stage): Promise<string> {
  const survey = { clientId: randomUUID(), location: root.site, responses: ANSWERS, ...CASH };
  const body = { owner: volunteer.id, surveys: [survey] };
  const answer = await ask(service, 'POST', '/api/surveys/import', { token: admin.token, body });
  const [seed] = answer.body.data as { id: string }[];
  return String(seed?.id);
}

export const surveyAttacks = ({
  items,
  request,
}: {
  items: Record<'objects' | 'fields' | 'flows', string>;
  request: typeof send;
}): Attack[] => [
  {
    ...{ item: items.fields, what: 'A volunteer looks for claim numbers among used seeds', must: 'none' },
    async attack({ service, volunteer, foreign }) {
      const { body } = await ask(service, 'GET', '/api/seeds?limit=200', { token: volunteer.token });
      return JSON.stringify(body).includes(String(foreign.referralCode)) ? 'shown' : 'none';
    },
  },
  {
    ...{ item: items.fields, what: 'Light lists give the position and network size of others', must: 'none' },
    async attack({ service, manager }) {
      const { body } = await ask(service, 'GET', '/api/surveys?limit=200', { token: manager.token });
      return /"(coordinates|networkSize)":/.test(JSON.stringify(body)) ? 'shown' : 'none';
    },
  },
  {
    ...{
      item: items.flows,
      what: 'An admin approves an interview that they imported for somebody',
      must: '403',
    },
    attack: async (stage) =>
      await request(stage, 'POST', `/api/surveys/${await forged(stage)}/review`, stage.admin, {
        state: 'APPROVED',
      }),
  },
  {
    ...{
      item: items.flows,
      what: 'An admin clears the flag that says who entered an interview',
      must: '403',
    },
    attack: async (stage) =>
      await request(stage, 'PATCH', `/api/surveys/${await forged(stage)}`, stage.admin, {
        clearFlags: ['IMPORTED'],
      }),
  },
  {
    ...{ item: items.flows, what: 'A payment in an imported interview counts as its owner’s', must: 'no' },
    async attack(stage) {
      const { service, root, volunteer } = stage;
      const path = `/api/incentives?survey=${await forged(stage)}`;
      const { body } = await ask(service, 'GET', path, { token: root.token });
      return JSON.stringify(body).includes(`"paidBy":"${volunteer.id}"`) ? 'yes' : 'no';
    },
  },
  {
    ...{ item: items.objects, what: 'A volunteer moves an interview to another site', must: '403' },
    attack: (stage) =>
      request(stage, 'PATCH', `/api/surveys/${stage.survey.id}`, stage.volunteer, {
        location: stage.otherSite,
        reason: 'Mine.',
      }),
  },
  {
    ...{
      item: items.objects,
      what: 'An import moves a manager to the site of others’ interviews',
      must: '403',
    },
    async attack(stage) {
      const { service, admin, manager, otherSite } = stage;
      const survey = { clientId: randomUUID(), location: otherSite, responses: ANSWERS };
      const body = { owner: manager.id, surveys: [survey] };
      await ask(service, 'POST', '/api/surveys/import', { token: admin.token, body });
      return await request(stage, 'GET', `/api/surveys/${stage.foreign.id}`, manager);
    },
  },
];
