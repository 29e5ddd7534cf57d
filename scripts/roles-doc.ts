/** `npm run docs:roles`: writes docs/roles.md from the rules. */
import { writeFileSync } from 'node:fs';
import { rolesDoc } from './roles-page.ts';
import { routes } from '../src/app.ts';

const file = 'docs/roles.md';
writeFileSync(file, rolesDoc(routes));
console.log(`${file} is written`);
