import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { Otps, SignInCodes } from './otp/otp-model.ts';

export const auth: ResourceDeclaration = {
  tags: [
    { name: 'Setup', description: 'Once, at the first start: the first super-admin.' },
    { name: 'Auth', description: 'Signing up and in with a phone number and a one-time code.' },
  ],
  collections: [
    { model: Otps, unique: { phone_1: null }, isCreatedByService: true },
    { model: SignInCodes, unique: { phone_1: null }, isCreatedByService: true },
  ],
  routes: async () => (await import('./routes.ts')).authRoutes,
};
