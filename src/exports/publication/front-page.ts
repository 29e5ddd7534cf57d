/**
 * index.html of a publication: how many people, how certain that is, whether it went up or down, how it was made, and
 * by whom.
 */
import {
  contactLink,
  daysText,
  englishText,
  isOneAnswer,
  longDay,
  type Publication,
  type PublicationHead,
  type PublishedCount,
  type PublishedOutcome,
  peopleCount,
  titleOf,
} from './facts.ts';
import { definitionList, type Html, htmlElement, htmlLink, htmlPage } from './html.ts';
import { boundsText, caveatText, changeSummary, summaryOf, wordingItems } from './pages.ts';

const HELD = {
  IN_PERSON: 'face to face',
  PHONE: 'by phone',
  SELF: 'with a questionnaire that they filled in themselves',
  MIXED: 'in several ways',
};

export function frontPage(publication: Publication): string {
  const { outcomes, counts, sizeQuestion, languages } = publication;
  const results = outcomes.filter((one) => !isOneAnswer(one));
  const alike = outcomes.filter(isOneAnswer);
  return htmlPage({
    title: titleOf(publication),
    head: publication,
    isFront: true,
    content: [
      definitionList(summary(publication), 'summary'),
      ...(counts.length > 0
        ? [htmlElement('h2', 'How many people'), htmlElement('ul', counts.map(countItem))]
        : []),
      htmlElement('h2', 'Results'),
      outcomeList(results),
      htmlElement('h2', 'How this was made'),
      ...methodParagraphs(publication),
      htmlElement('ul', [
        htmlElement('li', [htmlLink('methods.html', 'Methods, and what is in each file')]),
        htmlElement('li', [htmlLink('strobe-rds.html', 'Checklist for reports (STROBE-RDS)')]),
        htmlElement('li', [
          htmlLink('tables/index.csv', 'List of all tables'),
          ' (CSV): which table is about which question, and how many answered',
        ]),
        htmlElement('li', [htmlLink('codebook.xml', 'Codebook'), ' (DDI-Codebook 2.5, for archives)']),
      ]),
      ...(sizeQuestion
        ? [
            htmlElement('h2', 'How many people each person knows, as asked'),
            htmlElement('ul', wordingItems(sizeQuestion, languages)),
          ]
        : []),
      ...(alike.length > 0
        ? [htmlElement('h2', 'Questions that everyone answered alike'), outcomeList(alike)]
        : []),
    ],
  });
}

/** Answers to a reader's first questions. The latest count is the one to be quoted. */
function summary(publication: Publication): [string, (string | Html)[]][] {
  const { counts, outcomes, sample, mode, organization, contact, asOf } = publication;
  const latest = counts.findLast(({ total }) => total !== null);
  const [changed] = latest?.change?.sentences ?? [];
  const interviews = `${peopleCount(sample.n)} people were interviewed${mode ? ` ${HELD[mode]}` : ''}${daysText(sample)}`;
  return [
    [
      'How many people',
      latest ? [countText(latest)] : ['The study did not estimate how many people there are.'],
    ],
    ['How sure', latest ? [precisionText(latest)] : ['Each result below has a 95% confidence interval.']],
    [
      'Up or down',
      changed && latest?.change
        ? [`${changed.text} `, caveatText(latest.change, 2)]
        : outcomes.some(({ change }) => change)
          ? ['Each result below says what changed since the round before.']
          : ['There is no earlier round to compare with.'],
    ],
    [
      'How it was made',
      [
        `${interviews}, recruited by respondent-driven sampling from ${peopleCount(sample.seeds)} first people over ${peopleCount(sample.waves)} waves.`,
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

const countText = ({ total, tables, definition, asOf }: PublishedCount): string =>
  `About ${peopleCount(total?.estimate ?? 0)} adults as of ${longDay(asOf)}: ${withoutPeriod(definition)}.${withChildren(tables, () => '')}`;

/** Definitions are inserted into sentences that have their own period. */
const withoutPeriod = (definition: string) => definition.trim().replace(/\.$/, '');

const precisionText = ({ total, tables: { method, other } }: PublishedCount): string => {
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
  { totals: { persons, households } }: PublishedCount['tables'],
  confidence: typeof confidenceText,
): string {
  if (persons?.estimate == null || households?.estimate == null) return '';
  return ` With the children who stay with them: about ${peopleCount(persons.estimate)} persons${confidence(persons)} in about ${peopleCount(households.estimate)} households${confidence(households)}.`;
}

const countItem = ({ file, name, total, tables, definition, asOf, change }: PublishedCount): Html =>
  htmlElement('li', [
    htmlLink(`${file}.html`, name),
    total
      ? `: about ${peopleCount(total.estimate)} adults${confidenceText(total)}.${withChildren(tables, confidenceText)}`
      : '',
    ` Who was counted, as of ${longDay(asOf)}: ${withoutPeriod(definition)}.`,
    change?.sentences[0] ? ` ${change.sentences[0].text} ${caveatText(change)}` : '',
  ]);

const methodParagraphs = ({ sample, smallestCell }: PublicationHead): Html[] => [
  htmlElement(
    'p',
    `There is no list of these people to sample from. Staff chose the first ${peopleCount(sample.seeds)} people. Everyone who was interviewed got coupons to pass on to people they know, and anyone who brought a coupon could be interviewed next (respondent-driven sampling). People who know many others are easier to reach, so an answer counts less the more people the person knows (RDS-II).`,
  ),
  htmlElement(
    'p',
    `Each figure has a 95% confidence interval: if the study were repeated, 95 of 100 such intervals would contain the true figure, provided that their assumptions hold. Quote the interval with the figure.${smallestCell > 0 ? ' Figures of few people are hidden, so that nobody can be recognized.' : ''}`,
  ),
];

const outcomeList = (outcomes: readonly PublishedOutcome[]): Html =>
  htmlElement(
    'ul',
    outcomes.map((outcome) =>
      htmlElement('li', [
        htmlLink(`${outcome.file}.html`, englishText(outcome.title, outcome.name)),
        ' ',
        summaryOf(outcome),
        isOneAnswer(outcome) ? '' : changeSummary(outcome),
      ]),
    ),
  );
