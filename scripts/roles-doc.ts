/** `npm run docs:roles`: writes docs/roles.md from the rules. */
import { writeFileSync } from 'node:fs';
import { routes } from '../src/routes.ts';
import { rolesDoc } from './roles-page.ts';

const file = 'docs/roles.md';
writeFileSync(file, rolesDoc(routes));
console.log(`${file} is written`);
