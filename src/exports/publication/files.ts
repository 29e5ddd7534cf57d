/** The files of a publication, by name. */
import { countTablesCsv } from '../count-tables-csv.ts';
import { csvText } from '../interviews/row-text.ts';
import { ddiCodebook } from './ddi.ts';
import {
  englishText,
  levelName,
  outcomeFigureText,
  type Publication,
  type PublicationHead,
  type PublishedOutcome,
  type PublishedPopulationCount,
} from './facts.ts';
import { figureSvg } from './figure-svg.ts';
import { frontPage } from './front-page.ts';
import { PUBLICATION_CSS } from './html.ts';
import { methodsPage, publicationReadme } from './methods.ts';
import { populationCountPage, publishedOutcomePage, strobeReportPage } from './pages.ts';

export interface PublishedFile {
  name: string;
  text: string;
}

export const STYLE_FILE: PublishedFile = { name: 'style.css', text: PUBLICATION_CSS };

export const publishedFilesOfCount = (
  head: PublicationHead,
  count: PublishedPopulationCount,
): PublishedFile[] => [
  { name: `${count.file}.html`, text: populationCountPage(head, count) },
  { name: `tables/${count.file}.csv`, text: countTablesCsv(count.tables) },
];

export const filesOfOutcome = (head: PublicationHead, outcome: PublishedOutcome): PublishedFile[] => [
  { name: `${outcome.file}.html`, text: publishedOutcomePage(head, outcome) },
  { name: `tables/${outcome.file}.csv`, text: outcomeCsv(outcome) },
  ...figureOfOutcome(outcome),
];

/** Files that need all outcomes and counts. Each is created when it is asked for, so that other requests get a turn in between. */
export function* publicationOverviewFiles(publication: Publication): Generator<PublishedFile> {
  yield { name: 'index.html', text: frontPage(publication) };
  yield { name: 'methods.html', text: methodsPage(publication) };
  yield { name: 'strobe-rds.html', text: strobeReportPage(publication) };
  yield { name: 'codebook.xml', text: ddiCodebook(publication) };
  yield { name: 'tables/index.csv', text: tablesIndex(publication) };
  yield { name: 'tables/sample.csv', text: sampleCsv(publication) };
  yield { name: 'README.md', text: publicationReadme(publication) };
}

const OUTCOME_COLUMNS = ['answered', 'missing', 'not_asked', 'recruitment_homophily'];

/** What each table is about, because question names may contain characters that file names can't. */
function tablesIndex({ outcomes, counts }: Publication): string {
  return csvText([
    ['file', 'kind', 'name', 'id', ...OUTCOME_COLUMNS],
    ...outcomes.map(({ file, name, known, missing, notAsked, recruitmentHomophily }) => [
      ...[`${file}.csv`, 'outcome', name, ''],
      ...[known, missing, notAsked, recruitmentHomophily],
    ]),
    ...counts.map(({ file, name, tables }) => [
      ...[`${file}.csv`, 'count', name, tables.count],
      ...OUTCOME_COLUMNS.map(() => ''),
    ]),
  ]);
}

const sampleCsv = ({ sample: { n, seeds, waves } }: Publication): string =>
  csvText([
    ['figure', 'value'],
    ['people', n],
    ['seeds', seeds],
    ['waves', waves],
  ]);

const HEAD = [
  'value',
  'title',
  'estimate',
  'chain_low',
  'chain_high',
  'tree_low',
  'tree_high',
  'design_effect',
  'homophily',
  'first',
  'note',
];

function outcomeCsv({ levels, first }: PublishedOutcome): string {
  const rows = levels.map((level) => [
    level.value,
    levelName(level),
    level.estimate,
    level.interval?.low,
    level.interval?.high,
    level.cautious?.low,
    level.cautious?.high,
    level.designEffect,
    level.homophily,
    first ?? '',
    level.isHidden ? 'HIDDEN' : '',
  ]);
  return csvText([HEAD, ...rows]);
}

function figureOfOutcome(outcome: PublishedOutcome): PublishedFile[] {
  const { kind, first } = outcome;
  const rows = outcome.levels.flatMap((level) => {
    const { estimate, interval, cautious } = level;
    if (estimate === null) return [];
    const [main, other] = first === 'TREE' || !interval ? [cautious, interval] : [interval, cautious];
    return [{ label: levelName(level), text: outcomeFigureText(kind, estimate), estimate, main, other }];
  });
  if (rows.length === 0) return [];
  const text = figureSvg({
    title: englishText(outcome.title, outcome.name),
    axis:
      kind === 'CATEGORY'
        ? 'Share (thick: 95% CI shown first; thin: the other)'
        : 'Mean (thick: 95% CI shown first; thin: the other)',
    rows,
    isShare: kind === 'CATEGORY',
    tick: (value) => (kind === 'CATEGORY' ? `${Math.round(100 * value)}%` : value.toFixed(1)),
  });
  return [{ name: `figures/${outcome.file}.svg`, text }];
}
