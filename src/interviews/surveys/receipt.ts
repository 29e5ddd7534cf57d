import type { SurveyRecord } from './model.ts';

/** What a send token's holder learns about a delivered survey: that it has arrived, and nothing about the answers. */
export const surveyReceiptOf = ({ flags, ...survey }: SurveyRecord) => ({
  ...survey,
  flags: flags.map(({ code }) => code),
});
