/** Attacks on signing in: what a colleague, a stranger or the maker of a token tries. */
import mongoose from 'mongoose';
import { insertPerson } from '../../bench/people.ts';
import type { UserRecord } from '../../src/study/users/model.ts';
import type { Attack, Stage, send } from './attacks.ts';
import { ask, endlessTokenOf } from './service-process.ts';

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
      const newUser = await ask(service, 'POST', '/api/users', { token: manager.token, body });
      const approval = { approvalStatus: 'APPROVED' };
      await request(stage, 'PATCH', `/api/users/${newUser.body.id}`, manager, approval);
      return await request(stage, 'POST', `/api/users/${newUser.body.id}/sign-in-code`, manager);
    },
  },
  {
    ...{ item, what: 'A session by a colleague’s code waits for a grant', must: '401' },
    async attack(stage) {
      const { service, manager, root } = stage;
      const { id, phone } = await volunteer(stage);
      const codeReply = await ask(service, 'POST', `/api/users/${id}/sign-in-code`, { token: manager.token });
      const body = { phone, code: codeReply.body.code };
      const { token } = (await ask(service, 'POST', '/api/auth/verify-otp-login', { body })).body;
      await request(stage, 'PATCH', `/api/users/${id}`, root, { permissions: [READ] });
      return await request(stage, 'GET', '/api/surveys', { token: String(token) });
    },
  },
  {
    ...{ item, what: 'A token that never ends', must: '401' },
    attack: (stage) => request(stage, 'GET', '/api/surveys', { token: endlessTokenOf(stage.root.id) }),
  },
  {
    ...{ item, what: '30 wrong guesses end the link of a colleague’s code', must: '200' },
    async attack(stage) {
      const { phone, code, link } = await codeBy(stage);
      const body = { phone, code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') };
      for (let time = 0; time < 30; time++)
        await request(stage, 'POST', '/api/auth/verify-otp-login', null, body);
      return await request(stage, 'POST', '/api/auth/verify-otp-login', null, { phone, code: link });
    },
  },
  {
    ...{ item, what: 'A stranger’s requests use up the codes of a device that is known', must: '200' },
    async attack(stage) {
      const { phone, link } = await codeBy(stage);
      const body = { phone, code: link };
      const { device } = (await ask(stage.service, 'POST', '/api/auth/verify-otp-login', { body })).body;
      for (let time = 0; time < 10; time++)
        await request(stage, 'POST', '/api/auth/send-otp-login', null, { phone });
      return await request(stage, 'POST', '/api/auth/send-otp-login', null, { phone, device });
    },
  },
];

/** A colleague's code for someone new: its digits, and the characters in its link. */
async function codeBy(stage: Stage): Promise<{ phone: string; code: string; link: string }> {
  const { id, phone } = await volunteer(stage);
  const { token } = stage.manager;
  const { body } = await ask(stage.service, 'POST', `/api/users/${id}/sign-in-code`, { token });
  const link = new URLSearchParams(new URL(String(body.url)).hash.slice(1)).get('code') ?? '';
  return { phone, code: String(body.code), link };
}
