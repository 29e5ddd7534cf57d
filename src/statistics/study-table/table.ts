/**
 * The study table: a copy of the stored data in columns, from which all figures are calculated. It can be discarded at
 * any time.
 */
import { CouponColumnStore } from './coupons.ts';
import { InterviewColumnStore } from './interviews.ts';
import { SeedColumns } from './seeds.ts';
import { QuestionnaireVersions } from './versions.ts';

interface Expected {
  interviews: number;
  coupons: number;
  seeds: number;
}

export class StudyTable {
  readonly seeds: SeedColumns;
  readonly interviews: InterviewColumnStore;
  readonly coupons: CouponColumnStore;
  readonly versions = new QuestionnaireVersions();

  /** Expected numbers of rows; there may be more. */
  constructor({ interviews, coupons, seeds }: Expected) {
    this.seeds = new SeedColumns(seeds);
    this.interviews = new InterviewColumnStore(interviews, this.seeds, this.versions);
    this.coupons = new CouponColumnStore(coupons, this.seeds);
  }
}
