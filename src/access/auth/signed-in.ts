import type { Deps } from '../../platform/http/deps.ts';
import { signToken } from '../../platform/rights/token.ts';
import type { UserRecord } from '../../study/users/model.ts';
import { type SignInContext, startDeviceSession } from './known-devices.ts';

/** Starts a session and returns the reply to a sign-in. */
export async function replyToSignIn({ config }: Deps, user: UserRecord, signIn: SignInContext) {
  const { device, session } = await startDeviceSession(user, signIn, config.jwtTtl);
  return { token: signToken(config, user, session, signIn.now), device, user };
}
