/** The API types of the board. */
import type { z } from 'zod';
import type {
  InterviewerRow as InterviewerSchema,
  Pace as PaceSchema,
  SiteProgressRow as SiteSchema,
} from '../../../../src/board/recruitment/pace/pace-schema.ts';
import type { RecruitmentSummary as SummarySchema } from '../../../../src/board/recruitment/schema.ts';
import type { SitesForecast as SitesForecastSchema } from '../../../../src/board/recruitment/tomorrow/schema.ts';
import { withQuery } from '../../session/api.ts';

export type RecruitmentSummary = z.infer<typeof SummarySchema>;
/** With figures across sites, for people who can read all of them. */
export type FullRecruitmentSummary = Required<RecruitmentSummary>;
export const isFullSummary = (summary: RecruitmentSummary): summary is FullRecruitmentSummary =>
  summary.chains !== undefined;

export type Pace = z.infer<typeof PaceSchema>;
export type SitesForecast = z.infer<typeof SitesForecastSchema>;
export type SiteRow = z.infer<typeof SiteSchema>;
export type InterviewerRow = z.infer<typeof InterviewerSchema>;

interface OfRound {
  location: string;
  /** Empty for the open round, or the latest. */
  round: string;
}

export const paceRequestPath = (of: OfRound) => withQuery('/api/recruitment/pace', { ...of });

export const comingDaysForecastPath = (of: OfRound) => withQuery('/api/recruitment/forecast', { ...of });

/** With the maximum limit. The board and the home page use the same path, so it is only requested once. */
export const siteProgressRequestPath = (of: OfRound) =>
  withQuery('/api/recruitment/sites', { ...of, limit: '200' });

/** One page of interviewers, the first unless there is a cursor. */
export const interviewersRequestPath = (of: OfRound, cursor?: string) =>
  withQuery('/api/recruitment/interviewers', { ...of, limit: '50', cursor });

export const RECRUITMENT_FILTERS = ['round', 'location', 'from', 'to'] as const;

type BoardFilters = Record<(typeof RECRUITMENT_FILTERS)[number], string>;
export const boardSummaryRequestPath = (filters: BoardFilters) =>
  withQuery('/api/recruitment/summary', filters);

export type ChainRow = FullRecruitmentSummary['chains'][number];
export type AlertRow = RecruitmentSummary['alerts'][number];

/**
 * Coupons that interviews handed out: those still out, and all. The service's counts include the seeds' codes, which
 * are live until someone comes with them and then count as returned, so these are subtracted.
 */
export function handedOutCouponTotals({ coupons }: Pick<FullRecruitmentSummary, 'coupons'>) {
  const { ofSeeds } = coupons;
  const [live, returned] = [coupons.live - ofSeeds.live, coupons.returned - ofSeeds.returned];
  return { live, handedOut: live + returned + coupons.expired };
}
