/** Loads TypeScript as in tests, in a process of its own too: `node --import ./test/native/register.mjs`. */
import { register } from 'node:module';

register('./loader.mjs', import.meta.url, { data: { isBuilt: process.env.TEST_BUILT === '1' } });
