/** The time zone that defines days: the study's, or else the environment's. */
import { cachedStudy } from './cached-study.ts';

export async function studyTimeZone({ timeZone }: { timeZone: string }): Promise<string> {
  return (await cachedStudy()).timeZone ?? timeZone;
}
