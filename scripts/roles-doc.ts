/** `npm run docs:roles`: writes docs/roles.md from the rules. */
import { writeFileSync } from 'node:fs';
import { apiRoutes } from '../src/routes.ts';
import { rolesDoc } from './roles-page.ts';

const file = 'docs/roles.md';
writeFileSync(file, rolesDoc(apiRoutes));
console.log(`${file} is written`);
