/** The codebook as DDI-Codebook 2.5. The data are described but not included, because they aren't published. */
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { escapeXml } from '../sample/graph.ts';
import {
  englishText,
  isWebAddress,
  type Publication,
  type PublishedOutcome,
  publicationTitleOf,
} from './facts.ts';

const NAMESPACE = 'ddi:codebook:2_5';

const COLLECTION_MODES = {
  IN_PERSON: 'Face-to-face interview',
  PHONE: 'Telephone interview',
  SELF: 'Self-administered questionnaire',
  MIXED: 'Mixed modes',
};

const tag = (name: string, content: string, attributes: Record<string, string> = {}): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
};

/** One element for each study language that has a text, or otherwise one in English. */
function inLanguages(
  name: string,
  texts: TextByLanguage | null,
  otherwise: string,
  languages: readonly string[],
): string {
  const textLanguages = languages.filter((language) => texts?.[language]);
  if (textLanguages.length === 0)
    return tag(name, escapeXml(englishText(texts, otherwise)), { 'xml:lang': 'en' });
  return textLanguages
    .map((language) => tag(name, escapeXml(texts?.[language] ?? ''), { 'xml:lang': language }))
    .join('');
}

/** The producer and the contact. */
function producerTags({ organization, contact }: Publication): string {
  const producer = organization ? tag('prodStmt', tag('producer', escapeXml(organization))) : '';
  const address: Record<string, string> = isWebAddress(contact) ? { URI: contact } : { email: contact };
  const person = contact ? tag('distStmt', tag('contact', escapeXml(organization || contact), address)) : '';
  return producer + person;
}

export function ddiCodebook(publication: Publication): string {
  const { study, asOf, sample, mode, outcomes, counts } = publication;
  const title = publicationTitleOf(publication);
  const dates = [
    ...(sample.firstDay
      ? [tag('collDate', escapeXml(sample.firstDay), { date: sample.firstDay, event: 'start' })]
      : []),
    ...(sample.lastDay
      ? [tag('collDate', escapeXml(sample.lastDay), { date: sample.lastDay, event: 'end' })]
      : []),
  ].join('');
  const universe =
    counts[0]?.tables.text.split('\n')[0] ??
    'People who were recruited by respondent-driven sampling and take part.';
  const citation = (of: string) =>
    tag(
      'citation',
      tag('titlStmt', tag('titl', escapeXml(of), { 'xml:lang': 'en' })) +
        producerTags(publication) +
        tag('verStmt', tag('version', escapeXml(asOf), { date: asOf })),
    );
  const content = [
    tag('docDscr', citation(`Codebook of ${title}`)),
    tag(
      'stdyDscr',
      citation(title) +
        tag(
          'stdyInfo',
          tag('abstract', escapeXml(`Estimates of the study “${study}” by respondent-driven sampling.`), {
            'xml:lang': 'en',
          }) +
            tag(
              'sumDscr',
              `${dates}${tag('anlyUnit', 'Person')}${tag('universe', escapeXml(universe))}${tag('dataKind', 'Survey data, aggregated')}`,
            ),
        ) +
        tag(
          'method',
          tag(
            'dataColl',
            tag(
              'sampProc',
              escapeXml(
                `Respondent-driven sampling: ${sample.n} people in ${sample.seeds} chains over ${sample.waves} waves, each recruited with a coupon by somebody who was interviewed before.`,
              ),
            ) +
              (mode ? tag('collMode', COLLECTION_MODES[mode]) : '') +
              tag(
                'weight',
                'RDS-II: 1 / the number of people that the person knows (Volz and Heckathorn 2008).',
              ),
          ) +
            tag(
              'anlyInfo',
              tag(
                'EstSmpErr',
                'Bootstrap along the recruitment chains (CHAIN) and tree bootstrap (TREE), 95% intervals.',
              ),
            ),
        ) +
        tag(
          'dataAccs',
          tag(
            'useStmt',
            tag('restrctn', 'Answers of persons are not published. Figures of few people are hidden.'),
          ),
        ),
    ),
    tag('fileDscr', tag('fileTxt', tag('fileName', 'rds.csv')) + tag('notes', 'Not published.'), {
      ID: 'F1',
    }),
    tag('dataDscr', outcomes.map((one, at) => variable(one, at, publication)).join('\n')),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<codeBook xmlns="${NAMESPACE}" version="2.5" xml:lang="en">\n${content.join('\n')}\n</codeBook>\n`;
}

function variable(
  { name, kind, title, known: answerCount, missing, notAsked, levels }: PublishedOutcome,
  at: number,
  { languages }: Publication,
): string {
  const categories = levels
    .filter(({ value }) => value !== null)
    .map(({ value, title: words }) =>
      tag(
        'catgry',
        tag('catValu', escapeXml(value ?? '')) + inLanguages('labl', words, value ?? '', languages),
      ),
    );
  const question = languages
    .filter((language) => title[language])
    .map((language) =>
      tag('qstn', tag('qstnLit', escapeXml(title[language] ?? ''), { 'xml:lang': language })),
    );
  return tag(
    'var',
    [
      inLanguages('labl', title, name, languages),
      ...question,
      ...(answerCount === null || missing === null
        ? []
        : [
            tag('sumStat', String(answerCount), { type: 'vald' }),
            tag('sumStat', String(missing + notAsked), { type: 'invd' }),
          ]),
      ...categories,
      `<varFormat type="${kind === 'CATEGORY' ? 'character' : 'numeric'}"/>`,
    ].join(''),
    {
      ID: `V${at + 1}`,
      name,
      files: 'F1',
      intrvl: kind === 'CATEGORY' ? 'discrete' : 'contin',
    },
  );
}
