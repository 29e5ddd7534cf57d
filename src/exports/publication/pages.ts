/** The pages of a publication. */
import { textDirection } from '../../platform/lib/languages/text-direction.ts';
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { unselectedLabel } from '../../questionnaires/codebook/unselected.ts';
import type {
  Bounds,
  Publication,
  PublicationHead,
  PublishedLevel,
  PublishedOutcome,
  PublishedPopulationCount,
  PublishedRoundChange,
} from './facts.ts';
import {
  englishText,
  isUnanimousOutcome,
  levelName,
  levelSentence,
  outcomeFigureText,
  wholeNumberText,
} from './facts.ts';
import { type Html, htmlLink, htmlPage, htmlParagraphs, htmlTable, renderHtmlElement } from './html.ts';

const UNSELECTED = unselectedLabel({ en: '' }).en;

/** The level that the text mentions first: "yes" for yes/no, otherwise the largest share. */
function leading({ levels }: PublishedOutcome): PublishedLevel | undefined {
  const visibleLevels = levels.filter(({ estimate }) => estimate !== null);
  return (
    visibleLevels.find(({ value }) => value === 'yes' || value === '1' || value === 'true') ??
    visibleLevels.sort((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0))[0]
  );
}

export function outcomeSummaryText(outcome: PublishedOutcome): string {
  const [only] = outcome.levels;
  if (only && isUnanimousOutcome(outcome))
    return levelName(only) === UNSELECTED
      ? 'Nobody who answered chose this.'
      : `Everyone who answered said “${levelName(only)}”.`;
  const level = leading(outcome) ?? outcome.levels[0];
  return level ? levelSentence(outcome, level) : 'Nobody answered.';
}

const range = (bounds: Bounds | null, format: (figure: number) => string) =>
  bounds ? `${format(bounds.low)} to ${format(bounds.high)}` : '–';

export const OUTCOME_TABLE_HEADERS = [
  'Answer',
  'Estimate',
  '95% CI (CHAIN)',
  '95% CI without its assumption (TREE)',
  'Design effect',
  'Homophily',
];

export function outcomeTableRows(outcome: PublishedOutcome): string[][] {
  const format = (figure: number) => outcomeFigureText(outcome.kind, figure);
  return outcome.levels.map((level) => [
    levelName(level),
    level.isHidden ? 'hidden' : level.estimate === null ? '–' : format(level.estimate),
    range(level.interval, format),
    range(level.cautious, format),
    level.designEffect === null ? '–' : level.designEffect.toFixed(1),
    level.homophily === null ? '–' : level.homophily.toFixed(2),
  ]);
}

export function publishedOutcomePage(head: PublicationHead, outcome: PublishedOutcome): string {
  const { languages } = head;
  const { file, warnings, title } = outcome;
  const hasFigure = outcome.levels.some(({ estimate }) => estimate !== null);
  return htmlPage({
    title: englishText(title, outcome.name),
    head,
    content: [
      renderHtmlElement('p', outcomeSummaryText(outcome), { class: 'first' }),
      ...(hasFigure
        ? [
            renderHtmlElement('p', [
              renderHtmlElement('img', '', {
                src: `figures/${file}.svg`,
                alt: `Estimates with intervals. The table below has the same figures.`,
              }),
            ]),
          ]
        : []),
      renderHtmlElement('h2', 'All answers'),
      htmlTable({
        caption: 'Estimates by RDS-II with 95% confidence intervals',
        head: OUTCOME_TABLE_HEADERS,
        rows: outcomeTableRows(outcome),
      }),
      renderHtmlElement('p', [htmlLink(`tables/${file}.csv`, 'Download as CSV')]),
      ...changeSection(outcome.change),
      renderHtmlElement('h2', 'How this was calculated'),
      renderHtmlElement('p', answeredText(head, outcome)),
      ...(warnings.length > 0
        ? [
            renderHtmlElement('h2', 'Cautions'),
            renderHtmlElement(
              'ul',
              warnings.map((one) => renderHtmlElement('li', one)),
            ),
          ]
        : []),
      renderHtmlElement('h2', 'The question as asked'),
      renderHtmlElement('ul', wordingListItems(title, languages)),
    ],
  });
}

function answeredText(
  { sample, smallestCell }: PublicationHead,
  { known: answerCount, missing, few, notAsked }: PublishedOutcome,
): string {
  const all = wholeNumberText(sample.n);
  const asked = notAsked > 0 ? ` ${wholeNumberText(notAsked)} were not asked.` : '';
  const answered =
    few === 'ANSWERED'
      ? `Fewer than ${smallestCell} of ${all} people interviewed answered.`
      : few === 'MISSING'
        ? `Of ${all} people interviewed, all${notAsked > 0 ? ' who were asked' : ''} but a few (fewer than ${smallestCell}) answered.`
        : `${wholeNumberText(answerCount ?? 0)} of ${all} people interviewed answered; ${wholeNumberText(missing ?? 0)} did not.`;
  return `${answered}${asked} They were recruited by respondent-driven sampling in ${wholeNumberText(sample.seeds)} chains over ${wholeNumberText(sample.waves)} waves. Each answer is weighted by 1 / the number of people the person knows (RDS-II).`;
}

export const wordingListItems = (title: TextByLanguage, languages: readonly string[]): Html[] =>
  languages
    .filter((language) => title[language])
    .map((language) =>
      renderHtmlElement('li', title[language] as string, { lang: language, dir: textDirection(language) }),
    );

const TOTAL_UNITS = { ADULTS: 'adults', PERSONS: 'persons', HOUSEHOLDS: 'households' } as const;
const whole = (figure: number | null) => (figure === null ? '–' : wholeNumberText(figure));

function changeSection(change: PublishedRoundChange | null): Html[] {
  if (!change) return [];
  return [
    renderHtmlElement('h2', `Change since ${change.from}`),
    renderHtmlElement(
      'ul',
      change.sentences.map(({ name, text }) => renderHtmlElement('li', name ? `${name}: ${text}` : text)),
    ),
    ...(change.differed.length > 0 ? [renderHtmlElement('p', changeCaveatText(change))] : []),
  ];
}

/** A change is always quoted with its caveats; `most`: the maximum number of caveats, if there is little room. */
export const changeCaveatText = (
  { differed }: PublishedRoundChange,
  max = Number.POSITIVE_INFINITY,
): string =>
  differed.length > 0
    ? `What differed between the two, so that part of a change may be due to it: ${differed.slice(0, max).join(' ')}${differed.length > max ? ' And more, see below.' : ''}`
    : '';

/** The change of the level that is mentioned first. */
export function outcomeChangeText(outcome: PublishedOutcome): string {
  const level = leading(outcome);
  const sentence = outcome.change?.sentences.find(({ value }) => value === (level?.value ?? null));
  return sentence ? ` ${sentence.text}` : '';
}

export const boundsText = ({ low, high }: { low: number | null; high: number | null }) =>
  `${low === null ? 'no lower bound' : wholeNumberText(low)} to ${high === null ? 'no upper bound' : wholeNumberText(high)}`;

/** The total with its two intervals, the main one first. */
function countSentence(
  total: NonNullable<PublishedPopulationCount['total']>,
  { method, other }: PublishedPopulationCount['tables'],
) {
  const figure = `About ${wholeNumberText(total.estimate)} adults (95% confidence interval: ${boundsText(total)})`;
  const second = other?.adults;
  if (!method || !second) return `${figure}.`;
  return method === 'TREE'
    ? `${figure}. If whom people recruit depended on their answer and site alone, it would be ${boundsText(second)}, but chains differ by more than that.`
    : `${figure}, if whom people recruit depends on their answer and site alone. Without that assumption: ${boundsText(second)}.`;
}

export function populationCountPage(
  head: PublicationHead,
  { file, name, text, total, tables, change }: PublishedPopulationCount,
): string {
  const range = total ? countSentence(total, tables) : 'There is no estimate.';
  return htmlPage({
    title: name,
    head,
    content: [
      renderHtmlElement('p', range, { class: 'first' }),
      ...changeSection(change),
      renderHtmlElement('p', [htmlLink(`tables/${file}.csv`, 'Download the tables as CSV')]),
      ...tables.tables.flatMap(({ title, of, cells }) => [
        renderHtmlElement('h2', `${englishText(title, '')}: ${TOTAL_UNITS[of]}`),
        htmlTable({
          caption: `${englishText(title, '')}, ${TOTAL_UNITS[of]}`,
          head: ['Cell', 'Estimate', 'Low', 'High'],
          rows: cells.map((cell) => [
            englishText(cell.title, cell.cell),
            cell.hidden ? 'hidden' : whole(cell.estimate),
            whole(cell.low),
            whole(cell.high),
          ]),
        }),
      ]),
      renderHtmlElement('h2', 'How this was calculated'),
      ...(text === null ? [] : htmlParagraphs(text)),
      ...htmlParagraphs(tables.text),
      ...(tables.notes.length > 0
        ? [
            renderHtmlElement('h2', 'Notes'),
            renderHtmlElement(
              'ul',
              tables.notes.map(({ message }) => renderHtmlElement('li', message)),
            ),
          ]
        : []),
    ],
  });
}

export function strobeReportPage(publication: Publication): string {
  const { report, outcomes } = publication;
  const visibleOutcomes = outcomes.filter(({ levels }) => levels.some(({ estimate }) => estimate !== null));
  return htmlPage({
    title: 'Checklist for reports on respondent-driven sampling (STROBE-RDS)',
    head: publication,
    content: [
      renderHtmlElement('p', 'Items have the numbers of the checklist (White and others, 2015).', {
        class: 'first',
      }),
      htmlTable({
        caption: 'Items',
        head: ['Item', 'Subject', 'In this study'],
        rows: report.map(({ item, name, text, reason }) => [item, name, reason ? `${text} ${reason}` : text]),
      }),
      renderHtmlElement('h2', 'Item 16: estimates, precision and homophily'),
      ...visibleOutcomes.map((outcome) =>
        htmlTable({
          caption: `${englishText(outcome.title, outcome.name)}${outcome.recruitmentHomophily === null ? '' : ` (recruitment homophily ${outcome.recruitmentHomophily.toFixed(2)})`}`,
          head: OUTCOME_TABLE_HEADERS,
          rows: outcomeTableRows(outcome),
        }),
      ),
    ],
  });
}
