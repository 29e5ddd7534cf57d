/** The round that results and files are about: the requested one, or else the open one, or else the latest. */
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem, queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { loadStudy, type StudyRecord } from '../settings/model.ts';
import {
  loadRounds,
  pickRoundFields,
  RoundModel,
  type RoundRecord,
  type RoundWithoutSettings,
} from './model.ts';

/** In a form that can be sent to another process, for calculations. */
export interface RoundReference {
  id: string;
  /** In milliseconds; null for the open round. */
  closedAt: number | null;
  /** The first round also includes records stored without a round. */
  isFirst: boolean;
}

export interface RequestedRound {
  round: RoundWithoutSettings;
  ref: RoundReference;
}

/** 400 at `path` if there is no such round. */
export async function requestedRound(id?: string | null, path = 'round'): Promise<RequestedRound> {
  const rounds = await allRounds();
  const named = id ? rounds.find(({ ref }) => ref.id === id.toLowerCase()) : null;
  if (named === undefined) throw queryParameterProblem(fieldError(path, 'UNKNOWN_ROUND'));
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

/** The study's settings as of this round; without an id, as of the default round. */
export async function loadStudyAsOfRound(id?: string): Promise<StudyRecord> {
  const [study, requested] = await Promise.all([loadStudy(), requestedRound(id)]);
  return settingsOfRound(study, requested);
}

/** All settings when the round was closed; null for an open round. */
export async function settingsAtClosing({ round }: RequestedRound): Promise<Partial<StudyRecord> | null> {
  if (round.state === 'OPEN') return null;
  const stored = await RoundModel.findById(round._id, { settings: 1 }).lean<Pick<RoundRecord, 'settings'>>();
  return (stored?.settings ?? null) as Partial<StudyRecord> | null;
}

/** How a round's interviews were conducted. Unknown for a round closed before this setting existed. */
export const interviewModeOfRound = (
  closed: Partial<StudyRecord> | null,
  study: Pick<StudyRecord, 'interviewMode'>,
): StudyRecord['interviewMode'] => (closed ? (closed.interviewMode ?? null) : study.interviewMode);

/** A closed round keeps the sizes of its sites, so that its published figures stay. If it has none, the study's apply. */
export function siteSizeSettingsOf(
  closed: Partial<StudyRecord> | null,
  study: Pick<StudyRecord, 'siteQuestion' | 'siteSizes'>,
): Pick<StudyRecord, 'siteQuestion' | 'siteSizes'> {
  const { siteQuestion = null, siteSizes = [] } = closed?.siteSizes?.length ? closed : study;
  return { siteQuestion, siteSizes };
}

/** The study's settings; for a closed round, with its end date, target and sizes. */
export const settingsOfRound = <T extends object>(study: T, { round }: RequestedRound): T =>
  round.state === 'OPEN' ? study : { ...study, ...pickRoundFields(round) };
