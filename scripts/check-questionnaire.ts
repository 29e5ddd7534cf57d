/** Part of the build: checks that the included questionnaires are valid and complete in each of their languages. */

import { parseQuestionnaireFile, questionnaireFaultsOf } from '../src/questionnaires/commands.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/shipped/default-questionnaire.ts';
import { SHORT_QUESTIONNAIRE } from '../src/questionnaires/shipped/short-questionnaire.ts';

let isGood = true;
for (const [file, questionnaire] of Object.entries({
  default: DEFAULT_QUESTIONNAIRE,
  short: SHORT_QUESTIONNAIRE,
})) {
  for (const { path, message } of await questionnaireFaultsOf(
    parseQuestionnaireFile(JSON.stringify(questionnaire), {}),
  )) {
    console.error(`questionnaires/${file}.json: ${path}: ${message}`);
    isGood = false;
  }
}
process.exit(isGood ? 0 : 1);
