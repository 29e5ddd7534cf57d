// Jest for the mutation run: the tests that judge rights and referral codes, without the slow ones that judge them again.
import base from './jest.config.mjs';

export default {
  ...base,
  testMatch: [
    '<rootDir>/test/unit/code.test.ts',
    '<rootDir>/test/access/{agreement,current-location,days,grants,transitions}.test.ts',
    '<rootDir>/test/api/{auth-token,dashboard-batches,locations,referral-codes,seeds,surveys-codes,surveys-list,surveys-redeem,users,users-change}.test.ts',
  ],
};
