/** The round that figures and files are about: the one asked for, else the open one, else the latest. */
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem, queryProblem } from '../../platform/http/problems/problem.ts';
import { loadStudy, type StudyRecord } from '../settings/model.ts';
import { loadRounds, type RoundRecord, Rounds, type RoundWithoutSettings, studyFields } from './model.ts';

/** As figures get it, also in another process. */
export interface RoundReference {
  id: string;
  /** In milliseconds; null for the open one. */
  closedAt: number | null;
  /** The first round also has what was stored without one. */
  isFirst: boolean;
}

export interface RequestedRound {
  round: RoundWithoutSettings;
  ref: RoundReference;
}

/** 400 at `path` for a round that there is not. */
export async function requestedRound(id?: string | null, path = 'round'): Promise<RequestedRound> {
  const rounds = await allRounds();
  const named = id ? rounds.find(({ ref: roundRef }) => roundRef.id === id.toLowerCase()) : null;
  if (named === undefined) throw queryProblem(fieldError(path, 'UNKNOWN_ROUND'));
  const match = named ?? rounds.find(({ round }) => round.state === 'OPEN') ?? rounds.at(-1);
  if (!match) throw problem('NO_ROUND');
  return match;
}

/** Oldest first. */
export async function allRounds(): Promise<RequestedRound[]> {
  return (await loadRounds()).map((round, at) => ({
    round,
    ref: {
      id: round._id.toHexString(),
      closedAt: round.closedAt?.getTime() ?? null,
      isFirst: at === 0,
    },
  }));
}

/** The study's settings as they are of the round with this id, or the one that is meant without. */
export async function studyOfRound(id?: string): Promise<StudyRecord> {
  const [study, requested] = await Promise.all([loadStudy(), requestedRound(id)]);
  return settingsOfRound(study, requested);
}

/** All settings when the round was closed; null of an open one. */
export async function settingsAtClosing({ round }: RequestedRound): Promise<Partial<StudyRecord> | null> {
  const stored = await Rounds.findById(round._id, { settings: 1 }).lean<Pick<RoundRecord, 'settings'>>();
  return (stored?.settings ?? null) as Partial<StudyRecord> | null;
}

/** How interviews of a round were held. One that was closed before there was such a setting says nothing. */
export const interviewModeOf = (
  closed: Partial<StudyRecord> | null,
  study: Pick<StudyRecord, 'interviewMode'>,
): StudyRecord['interviewMode'] => (closed ? (closed.interviewMode ?? null) : study.interviewMode);

/** Sizes of sites as a closed round kept them: what was published of it stays so. One without takes those of the study. */
export async function siteSettingsOf(
  requested: RequestedRound,
  study: StudyRecord,
): Promise<Pick<StudyRecord, 'siteQuestion' | 'siteSizes'>> {
  const closed = requested.round.state === 'OPEN' ? null : await settingsAtClosing(requested);
  const { siteQuestion = null, siteSizes } = closed?.siteSizes?.length ? closed : study;
  return { siteQuestion, siteSizes: siteSizes ?? [] };
}

/** The study's settings, with the last day, target and sizes of a round that is closed. */
export const settingsOfRound = <T extends object>(study: T, { round }: RequestedRound): T =>
  round.state === 'OPEN' ? study : { ...study, ...studyFields(round) };
