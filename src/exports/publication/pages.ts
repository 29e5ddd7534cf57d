/** The pages of a publication. */
import { textDirection } from '../../platform/lib/languages/text-direction.ts';
import type { Texts } from '../../questionnaires/codebook/countable.ts';
import type { Bounds, Publication, PublishedCount, PublishedLevel, PublishedOutcome } from './facts.ts';
import { english, figureOf, levelName, levelSentence, people, titleOf } from './facts.ts';
import { dataTable, element, type Html, link, page, paragraphs } from './html.ts';

/** Levels that stand first in the text: the largest share, of yes and no the "yes". */
function leading({ levels }: PublishedOutcome): PublishedLevel | undefined {
  const visibleLevels = levels.filter(({ estimate }) => estimate !== null);
  return (
    visibleLevels.find(({ value }) => value === 'yes' || value === '1' || value === 'true') ??
    visibleLevels.sort((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0))[0]
  );
}

export function summaryOf(outcome: PublishedOutcome): string {
  const level = leading(outcome) ?? outcome.levels[0];
  return level ? levelSentence(outcome, level) : 'Nobody answered.';
}

const range = (bounds: Bounds | null, format: (figure: number) => string) =>
  bounds ? `${format(bounds.low)} to ${format(bounds.high)}` : '–';

export const OUTCOME_HEAD = [
  'Answer',
  'Estimate',
  '95% CI (CHAIN)',
  '95% CI without its assumption (TREE)',
  'Design effect',
  'Homophily',
];

export function outcomeRows(outcome: PublishedOutcome): string[][] {
  const format = (figure: number) => figureOf(outcome.kind, figure);
  return outcome.levels.map((level) => [
    levelName(level),
    level.isHidden ? 'hidden' : level.estimate === null ? '–' : format(level.estimate),
    range(level.interval, format),
    range(level.cautious, format),
    level.designEffect === null ? '–' : level.designEffect.toFixed(1),
    level.homophily === null ? '–' : level.homophily.toFixed(2),
  ]);
}

export function outcomePage(publication: Publication, outcome: PublishedOutcome): string {
  const { sample, languages } = publication;
  const { file, known: answerCount, missing, notAsked, warnings, title } = outcome;
  const hasFigure = outcome.levels.some(({ estimate }) => estimate !== null);
  return page({
    title: english(title, outcome.name),
    content: [
      element('p', summaryOf(outcome), { class: 'first' }),
      ...(hasFigure
        ? [
            element('p', [
              element('img', '', {
                src: `figures/${file}.svg`,
                alt: `Estimates with intervals. The table below has the same figures.`,
              }),
            ]),
          ]
        : []),
      element('h2', 'All answers'),
      dataTable({
        caption: 'Estimates by RDS-II with 95% confidence intervals',
        head: OUTCOME_HEAD,
        rows: outcomeRows(outcome),
      }),
      element('p', [link(`tables/${file}.csv`, 'Download as CSV')]),
      element('h2', 'How this was calculated'),
      element(
        'p',
        `${people(answerCount)} of ${people(sample.n)} people interviewed answered; ${people(missing)} did not${notAsked > 0 ? `, and ${people(notAsked)} were not asked` : ''}. They were recruited by respondent-driven sampling in ${people(sample.seeds)} chains over ${people(sample.waves)} waves. Each answer is weighted by 1 / the number of people the person knows (RDS-II).`,
      ),
      ...(warnings.length > 0
        ? [
            element('h2', 'Cautions'),
            element(
              'ul',
              warnings.map((one) => element('li', one)),
            ),
          ]
        : []),
      element('h2', 'The question as asked'),
      element('ul', wordings(title, languages)),
    ],
  });
}

const wordings = (title: Texts, languages: readonly string[]): Html[] =>
  languages
    .filter((language) => title[language])
    .map((language) =>
      element('li', title[language] as string, { lang: language, dir: textDirection(language) }),
    );

const OF = { ADULTS: 'adults', PERSONS: 'persons', HOUSEHOLDS: 'households' } as const;
const whole = (figure: number | null) => (figure === null ? '–' : people(figure));

export function countPage({ file, name, text, total, tables }: PublishedCount): string {
  const range = total
    ? `About ${people(total.estimate)} adults (95% confidence interval: ${total.low === null ? 'no lower bound' : people(total.low)} to ${total.high === null ? 'no upper bound' : people(total.high)}).`
    : 'There is no estimate.';
  return page({
    title: name,
    content: [
      element('p', range, { class: 'first' }),
      element('p', [link(`tables/${file}.csv`, 'Download the tables as CSV')]),
      ...tables.tables.flatMap(({ title, of, cells }) => [
        element('h2', `${english(title, '')}: ${OF[of]}`),
        dataTable({
          caption: `${english(title, '')}, ${OF[of]}`,
          head: ['Cell', 'Estimate', 'Low', 'High'],
          rows: cells.map((cell) => [
            english(cell.title, cell.cell),
            cell.hidden ? 'hidden' : whole(cell.estimate),
            whole(cell.low),
            whole(cell.high),
          ]),
        }),
      ]),
      element('h2', 'How this was calculated'),
      ...(text === null ? [] : paragraphs(text)),
      ...paragraphs(tables.text),
      ...(tables.notes.length > 0
        ? [
            element('h2', 'Notes'),
            element(
              'ul',
              tables.notes.map(({ message }) => element('li', message)),
            ),
          ]
        : []),
    ],
  });
}

export function reportPage(publication: Publication): string {
  const { report, outcomes } = publication;
  const visibleOutcomes = outcomes.filter(({ levels }) => levels.some(({ estimate }) => estimate !== null));
  return page({
    title: 'Checklist for reports on respondent-driven sampling (STROBE-RDS)',
    content: [
      element('p', 'Items have the numbers of the checklist (White and others, 2015).', { class: 'first' }),
      dataTable({
        caption: 'Items',
        head: ['Item', 'Subject', 'In this study'],
        rows: report.map(({ item, name, text, reason }) => [item, name, reason ? `${text} ${reason}` : text]),
      }),
      element('h2', 'Item 16: estimates, precision and homophily'),
      ...visibleOutcomes.map((outcome) =>
        dataTable({
          caption: `${english(outcome.title, outcome.name)}${outcome.recruitmentHomophily === null ? '' : ` (recruitment homophily ${outcome.recruitmentHomophily.toFixed(2)})`}`,
          head: OUTCOME_HEAD,
          rows: outcomeRows(outcome),
        }),
      ),
    ],
  });
}

export function frontPage(publication: Publication): string {
  const { outcomes, counts, sample, asOf, sizeQuestion, languages } = publication;
  const days =
    sample.firstDay === null ? '' : ` between ${sample.firstDay} and ${sample.lastDay ?? sample.firstDay}`;
  return page({
    title: titleOf(publication),
    isFront: true,
    content: [
      element(
        'p',
        `${people(sample.n)} people were interviewed${days}, recruited by respondent-driven sampling from ${people(sample.seeds)} first people over ${people(sample.waves)} waves. Data as of ${asOf}.`,
        { class: 'first' },
      ),
      ...(counts.length > 0
        ? [
            element('h2', 'How many people'),
            element(
              'ul',
              counts.map(({ file, name, total }) =>
                element('li', [
                  link(`${file}.html`, name),
                  total
                    ? `: about ${people(total.estimate)} adults (95% CI ${whole(total.low)} to ${whole(total.high)})`
                    : '',
                ]),
              ),
            ),
          ]
        : []),
      element('h2', 'Results'),
      element(
        'ul',
        outcomes.map((outcome) =>
          element('li', [
            link(`${outcome.file}.html`, english(outcome.title, outcome.name)),
            ' ',
            summaryOf(outcome),
          ]),
        ),
      ),
      element('h2', 'Methods'),
      element('ul', [
        element('li', [link('README.md', 'Methods and files')]),
        element('li', [link('strobe-rds.html', 'Checklist for reports (STROBE-RDS)')]),
        element('li', [link('codebook.xml', 'Codebook (DDI Codebook 2.5)')]),
      ]),
      ...(sizeQuestion
        ? [
            element('h2', 'How many people each person knows, as asked'),
            element('ul', wordings(sizeQuestion, languages)),
          ]
        : []),
    ],
  });
}
