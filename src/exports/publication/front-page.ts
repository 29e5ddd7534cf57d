/**
 * index.html of a publication: how many people, how certain that is, whether it went up or down, how it was made, and
 * by whom.
 */
import {
  contactLink,
  dateRangeText,
  englishText,
  isUnanimousOutcome,
  longDay,
  type Publication,
  type PublicationHead,
  type PublishedOutcome,
  type PublishedPopulationCount,
  publicationTitleOf,
  wholeNumberText,
} from './facts.ts';
import { type Html, htmlDefinitionList, htmlLink, htmlPage, renderHtmlElement } from './html.ts';
import {
  boundsText,
  changeCaveatText,
  outcomeChangeText,
  outcomeSummaryText,
  wordingListItems,
} from './pages.ts';

const HELD = {
  IN_PERSON: 'face to face',
  PHONE: 'by phone',
  SELF: 'with a questionnaire that they filled in themselves',
  MIXED: 'in several ways',
};

export function frontPage(publication: Publication): string {
  const { outcomes, counts, sizeQuestion, languages } = publication;
  const results = outcomes.filter((one) => !isUnanimousOutcome(one));
  const alike = outcomes.filter(isUnanimousOutcome);
  return htmlPage({
    title: publicationTitleOf(publication),
    head: publication,
    isFront: true,
    content: [
      htmlDefinitionList(summary(publication), 'summary'),
      ...(counts.length > 0
        ? [renderHtmlElement('h2', 'How many people'), renderHtmlElement('ul', counts.map(countItem))]
        : []),
      renderHtmlElement('h2', 'Results'),
      outcomeList(results),
      renderHtmlElement('h2', 'How this was made'),
      ...methodParagraphs(publication),
      renderHtmlElement('ul', [
        renderHtmlElement('li', [htmlLink('methods.html', 'Methods, and what is in each file')]),
        renderHtmlElement('li', [htmlLink('strobe-rds.html', 'Checklist for reports (STROBE-RDS)')]),
        renderHtmlElement('li', [
          htmlLink('tables/index.csv', 'List of all tables'),
          ' (CSV): which table is about which question, and how many answered',
        ]),
        renderHtmlElement('li', [htmlLink('codebook.xml', 'Codebook'), ' (DDI-Codebook 2.5, for archives)']),
      ]),
      ...(sizeQuestion
        ? [
            renderHtmlElement('h2', 'How many people each person knows, as asked'),
            renderHtmlElement('ul', wordingListItems(sizeQuestion, languages)),
          ]
        : []),
      ...(alike.length > 0
        ? [renderHtmlElement('h2', 'Questions that everyone answered alike'), outcomeList(alike)]
        : []),
    ],
  });
}

/** Answers to a reader's first questions. The latest count is the one to be quoted. */
function summary(publication: Publication): [string, (string | Html)[]][] {
  const { counts, outcomes, sample, mode, organization, contact, asOf } = publication;
  const latest = counts.findLast(({ total }) => total !== null);
  const [changed] = latest?.change?.sentences ?? [];
  const interviews = `${wholeNumberText(sample.n)} people were interviewed${mode ? ` ${HELD[mode]}` : ''}${dateRangeText(sample)}`;
  return [
    [
      'How many people',
      latest ? [countText(latest)] : ['The study did not estimate how many people there are.'],
    ],
    ['How sure', latest ? [precisionText(latest)] : ['Each result below has a 95% confidence interval.']],
    [
      'Up or down',
      changed && latest?.change
        ? [`${changed.text} `, changeCaveatText(latest.change, 2)]
        : outcomes.some(({ change }) => change)
          ? ['Each result below says what changed since the round before.']
          : ['There is no earlier round to compare with.'],
    ],
    [
      'How it was made',
      [
        `${interviews}, recruited by respondent-driven sampling from ${wholeNumberText(sample.seeds)} first people over ${wholeNumberText(sample.waves)} waves.`,
      ],
    ],
    [
      'By whom',
      [
        organization || contact ? '' : 'The study does not say who is responsible. ',
        organization ? `${organization}. ` : '',
        ...(contact ? ['Questions: ', htmlLink(contactLink(contact), contact), '. '] : []),
        `Data as of ${longDay(asOf)}.`,
      ],
    ],
  ];
}

const countText = ({ total, tables, definition, asOf }: PublishedPopulationCount): string =>
  `About ${wholeNumberText(total?.estimate ?? 0)} adults as of ${longDay(asOf)}: ${withoutPeriod(definition)}.${withChildren(tables, () => '')}`;

/** Definitions are inserted into sentences that have their own period. */
const withoutPeriod = (definition: string) => definition.trim().replace(/\.$/, '');

const precisionText = ({ total, tables: { method, other } }: PublishedPopulationCount): string => {
  if (total?.low == null && total?.high == null) return 'No confidence interval has been calculated.';
  const interval = `95% confidence interval: ${boundsText(total)} adults`;
  const second = other?.adults;
  return method !== 'CHAIN' || !second
    ? `${interval}.`
    : `${interval}, if whom people recruit depends on their answer and site alone; without that assumption, ${boundsText(second)}.`;
};

const confidenceText = (bounds: Parameters<typeof boundsText>[0]) => ` (95% CI ${boundsText(bounds)})`;

/** Readers ask for people, not only adults. */
function withChildren(
  { totals: { persons, households } }: PublishedPopulationCount['tables'],
  confidence: typeof confidenceText,
): string {
  if (persons?.estimate == null || households?.estimate == null) return '';
  return ` With the children who stay with them: about ${wholeNumberText(persons.estimate)} persons${confidence(persons)} in about ${wholeNumberText(households.estimate)} households${confidence(households)}.`;
}

const countItem = ({ file, name, total, tables, definition, asOf, change }: PublishedPopulationCount): Html =>
  renderHtmlElement('li', [
    htmlLink(`${file}.html`, name),
    total
      ? `: about ${wholeNumberText(total.estimate)} adults${confidenceText(total)}.${withChildren(tables, confidenceText)}`
      : '',
    ` Who was counted, as of ${longDay(asOf)}: ${withoutPeriod(definition)}.`,
    change?.sentences[0] ? ` ${change.sentences[0].text} ${changeCaveatText(change)}` : '',
  ]);

const methodParagraphs = ({ sample, smallestCell }: PublicationHead): Html[] => [
  renderHtmlElement(
    'p',
    `There is no list of these people to sample from. Staff chose the first ${wholeNumberText(sample.seeds)} people. Everyone who was interviewed got coupons to pass on to people they know, and anyone who brought a coupon could be interviewed next (respondent-driven sampling). People who know many others are easier to reach, so an answer counts less the more people the person knows (RDS-II).`,
  ),
  renderHtmlElement(
    'p',
    `Each figure has a 95% confidence interval: if the study were repeated, 95 of 100 such intervals would contain the true figure, provided that their assumptions hold. Quote the interval with the figure.${smallestCell > 0 ? ' Figures of few people are hidden, so that nobody can be recognized.' : ''}`,
  ),
];

const outcomeList = (outcomes: readonly PublishedOutcome[]): Html =>
  renderHtmlElement(
    'ul',
    outcomes.map((outcome) =>
      renderHtmlElement('li', [
        htmlLink(`${outcome.file}.html`, englishText(outcome.title, outcome.name)),
        ' ',
        outcomeSummaryText(outcome),
        isUnanimousOutcome(outcome) ? '' : outcomeChangeText(outcome),
      ]),
    ),
  );
