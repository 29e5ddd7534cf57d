import type { Deps } from '../../platform/http/deps.ts';
import { signToken } from '../../platform/rights/token.ts';
import type { UserRecord } from '../../study/users/model.ts';
import { type SignInInput, startSessionOnDevice } from './known-devices.ts';

/** Starts a session and returns the reply to a sign-in. */
export async function replyToSignIn({ config }: Deps, user: UserRecord, signIn: SignInInput) {
  const { device, session } = await startSessionOnDevice(user, signIn, config.jwtTtl);
  return { token: signToken(config, user, session, signIn.now), device, user };
}
