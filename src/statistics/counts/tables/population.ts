/** The tables of a count: their cells, and what each respondent represents in them. */
import type { TextByLanguage } from '../../../questionnaires/codebook/countable.ts';
import type {
  CellContributions,
  HouseholdSample,
  KnownTotal,
  PopulationUnit,
  TotalBreakdown,
} from '../../estimators/households/totals.ts';
import type { CountTableAnswers, DemographicGrouping, HouseholdAnswers } from './read-answers.ts';
import { COUNT_TABLE_WORDS } from './words.ts';

export interface CountTableTitles {
  key: DemographicGrouping['key'] | 'householdType';
  total: PopulationUnit;
  titles: (TextByLanguage | null)[];
}

export interface CountInput {
  answers: CountTableAnswers;
  /** [n], positive. */
  sizes: Float64Array;
  multiplier: KnownTotal;
}

export function populationTablesOf({ answers, sizes, multiplier }: CountInput): {
  population: HouseholdSample;
  titled: CountTableTitles[];
} {
  const { groupings, households } = answers;
  const maker = new TableMaker(households, sizes.length);
  const all = [...groupings.flatMap((one) => maker.ofGrouping(one)), ...maker.ofTypes()];
  const total = (values: Float64Array | null) => (values ? smallestPopulation(values, households) : 0);
  return {
    population: {
      sizes,
      multiplier,
      totals: { PERSONS: maker.persons, HOUSEHOLDS: maker.shares },
      least: {
        ADULTS: sizes.length,
        PERSONS: Math.max(sizes.length, total(maker.persons)),
        HOUSEHOLDS: total(maker.shares),
      },
      tables: all.map(({ table }) => table),
    },
    titled: all.map(({ table: { key, total: of }, titles }) => ({
      key: key as CountTableTitles['key'],
      total: of,
      titles,
    })),
  };
}

class TableMaker {
  /** [n] share of a household, and of its persons, per adult in it; null if nobody was asked. */
  readonly shares: Float64Array | null;
  readonly persons: Float64Array | null;
  readonly #households: HouseholdAnswers | null;
  readonly #n: number;

  constructor(households: HouseholdAnswers | null, n: number) {
    this.#households = households;
    this.#n = n;
    this.shares = households?.adults.map((adults) => 1 / adults) ?? null;
    this.persons = households?.adults.map((adults, i) => 1 + households.children[i]! / adults) ?? null;
  }

  ofGrouping({
    key,
    cells,
    codes,
  }: DemographicGrouping): { table: TotalBreakdown; titles: (TextByLanguage | null)[] }[] {
    const titles = cells.map(({ title }) => title);
    // Only people with a known household are included, so that persons and households refer to the same people.
    const isKnown = (i: number) => codes[i]! >= 0 && !(this.shares && Number.isNaN(this.shares[i]!));
    const own = cells.map(({ key: cell }, at) =>
      this.#cell(cell, (i) => (isKnown(i) ? Number(codes[i] === at) : Number.NaN)),
    );
    const ofChildren = key === 'age' ? this.#children() : [];
    const persons = {
      table: {
        key,
        total: ofChildren.length > 0 ? ('PERSONS' as const) : ('ADULTS' as const),
        cells: [...ofChildren.map(({ cell }) => cell), ...own],
      },
      titles: [...ofChildren.map(({ title }) => title), ...titles],
    };
    const { shares } = this;
    if (!shares) return [persons];
    const parts = cells.map(({ key: cell }, at) =>
      this.#cell(cell, (i) => (isKnown(i) ? Number(codes[i] === at) * shares[i]! : Number.NaN)),
    );
    return [persons, { table: { key, total: 'HOUSEHOLDS', cells: parts }, titles }];
  }

  ofTypes(): { table: TotalBreakdown; titles: (TextByLanguage | null)[] }[] {
    const { shares, persons } = this;
    const households = this.#households;
    if (!households || !shares || !persons) return [];
    const titles = [COUNT_TABLE_WORDS.adultsOnly, COUNT_TABLE_WORDS.withChildren];
    const of = (total: PopulationUnit, values: Float64Array) => ({
      table: {
        key: 'householdType',
        total,
        cells: ['adultsOnly', 'withChildren'].map((type, at) =>
          this.#shared(type, (i) => {
            const children = households.children[i]!;
            if (Number.isNaN(children)) return Number.NaN;
            return Number(children > 0 === (at === 1)) * values[i]!;
          }),
        ),
      },
      titles,
    });
    return [of('HOUSEHOLDS', shares), of('PERSONS', persons)];
  }

  #children(): { cell: CellContributions; title: TextByLanguage }[] {
    const households = this.#households;
    if (!households) return [];
    const { adults, children, childrenUnder6: under6 } = households;
    if (!under6)
      return [
        { cell: this.#shared('under18', (i) => children[i]! / adults[i]!), title: COUNT_TABLE_WORDS.under18 },
      ];
    return [
      { cell: this.#shared('under6', (i) => under6[i]! / adults[i]!), title: COUNT_TABLE_WORDS.under6 },
      {
        cell: this.#shared('6to17', (i) => (children[i]! - under6[i]!) / adults[i]!),
        title: COUNT_TABLE_WORDS['6to17'],
      },
    ];
  }

  #cell(
    key: string,
    standsFor: (row: number) => number,
    sharing: HouseholdAnswers | null = null,
  ): CellContributions {
    const values = Float64Array.from({ length: this.#n }, (_, i) => standsFor(i));
    return { key, values, least: smallestPopulation(values, sharing) };
  }

  /** A cell for something that the adults of a household share. */
  #shared(key: string, standsFor: (row: number) => number): CellContributions {
    return this.#cell(key, standsFor, this.#households);
  }
}

/**
 * The minimum number of different persons or households that the interviews prove: the sum of what each respondent
 * represents, or, for things that the adults of a household share, the sum of complete households over the first
 * respondent from each.
 */
function smallestPopulation(values: Float64Array, sharing: HouseholdAnswers | null): number {
  let [parts, wholes] = [0, 0];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    parts += value;
    if (sharing?.isFirst[i] === 1) wholes += value * sharing.adults[i]!;
  }
  return Math.ceil(Math.max(parts, wholes) - 1e-9);
}
