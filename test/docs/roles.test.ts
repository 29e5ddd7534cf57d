import { rolesDoc } from '../../scripts/roles-page.ts';
import { apiRoutes } from '../../src/routes.ts';
import { read } from './pages.ts';

describe('docs/roles.md', () => {
  it('matches the rules', () => {
    if (read('docs/roles.md') === rolesDoc(apiRoutes)) return;
    throw new Error('docs/roles.md is stale. Cure: npm run docs:roles, then look at the difference.');
  });

  it.each(['SUPER_ADMIN', 'ADMIN', 'MANAGER', 'VOLUNTEER'])('has a table for %s', (role) => {
    expect(rolesDoc(apiRoutes)).toMatch(new RegExp(`^## Also: ${role}\n\n\\| subject`, 'm'));
  });

  it.each([
    ['MANAGER', '| Survey | update | all | `HAS_SAME_LOCATION` and `WAS_CREATED_TODAY` |'],
    ['ADMIN', '| User | delete | all | `HAS_ROLE(VOLUNTEER, MANAGER, ADMIN)` |'],
    [
      'VOLUNTEER',
      '| Survey | read | all | `IS_CREATED_BY_SELF` and `WAS_CREATED_TODAY` and `HAS_SAME_LOCATION` |',
    ],
  ])('lists each permission of %s with its conditions by name', (role, line) => {
    const section = rolesDoc(apiRoutes).split(`## Also: ${role}`)[1]?.split('\n## ')[0];
    expect(section).toContain(line);
  });
});
