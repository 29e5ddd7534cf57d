/** Attacks on signing in: what a colleague, a stranger or the maker of a token tries. */
import mongoose from 'mongoose';
import type { UserRecord } from '../src/users/model.ts';
import { ask } from '../test/attack/service-process.ts';
import type { Attack, Stage, send } from './attacks.ts';
import { insertPerson } from './people.ts';

const READ = { action: 'read', subject: 'Survey', conditions: [] } as const;

let phones = 300;
const nextPhone = () => `+1206555${String(phones++).padStart(4, '0')}`;

/** A volunteer of the manager's site. */
async function volunteer({ service, root }: Stage, more: Partial<UserRecord> = {}) {
  const location = new mongoose.Types.ObjectId(root.site);
  const phone = nextPhone();
  const person = await insertPerson(service.dataDir, { role: 'VOLUNTEER', phone, location, ...more });
  return { ...person, phone };
}

export const signInAttacks = (item: string, request: typeof send): Attack[] => [
  ...(['manager', 'admin'] as const).map(
    (who): Attack => ({
      ...{ item, what: `A sign-in code by the ${who} for a volunteer with a grant`, must: '403' },
      attack: async (stage) => {
        const { id } = await volunteer(stage, { permissions: [{ ...READ, conditions: [] }] });
        return await request(stage, 'POST', `/api/users/${id}/sign-in-code`, stage[who]);
      },
    }),
  ),
  {
    ...{ item, what: 'A manager signs in as a person they made up', must: '409' },
    async attack(stage) {
      const { service, manager } = stage;
      const body = { phone: nextPhone(), firstName: 'Ghost', lastName: 'Lee', role: 'VOLUNTEER' };
      const made = await ask(service, 'POST', '/api/users', { token: manager.token, body });
      const approval = { approvalStatus: 'APPROVED' };
      await request(stage, 'PATCH', `/api/users/${made.body.id}`, manager, approval);
      return await request(stage, 'POST', `/api/users/${made.body.id}/sign-in-code`, manager);
    },
  },
  {
    ...{ item, what: 'A session by a colleague’s code waits for a grant', must: '401' },
    async attack(stage) {
      const { service, manager, root } = stage;
      const { id, phone } = await volunteer(stage);
      const made = await ask(service, 'POST', `/api/users/${id}/sign-in-code`, { token: manager.token });
      const body = { phone, code: made.body.code };
      const { token } = (await ask(service, 'POST', '/api/auth/verify-otp-login', { body })).body;
      await request(stage, 'PATCH', `/api/users/${id}`, root, { permissions: [READ] });
      return await request(stage, 'GET', '/api/surveys', { token: String(token) });
    },
  },
];
