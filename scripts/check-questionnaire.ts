/** A part of the build: the questionnaire that ships is a good one, and whole in each of its languages. */
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/default.ts';
import { faultsOf, readQuestionnaire } from '../src/questionnaires/operate.ts';

const faults = await faultsOf(readQuestionnaire(JSON.stringify(DEFAULT_QUESTIONNAIRE), {}));
for (const { path, message } of faults) console.error(`questionnaires/default.json: ${path}: ${message}`);
process.exit(faults.length > 0 ? 1 : 0);
