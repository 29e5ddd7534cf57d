/** How each question was answered: unweighted counts, next to the population estimates. */
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  QUESTIONS_PER_REQUEST,
  questionsEligibilityLast,
} from '../../../../src/statistics/results/default-choice.ts';
import { withQuery } from '../../session/api.ts';
import { faultText } from '../../session/fault-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { useFilters } from '../kit/list/address.ts';
import { PendingContent } from '../kit/list/dashboard-page.tsx';
import { SearchFilter } from '../kit/list/filter-fields.tsx';
import { FilterBar } from '../kit/list/filters.tsx';
import { BarsChart } from './chart/bars-chart.tsx';
import { AnswerHistogram } from './estimates/spread-chart.tsx';
import { AsOf } from './kit/as-of.tsx';
import { titleIn, useFigureFormatters } from './kit/format-figures.ts';
import { useSuppressedFigureText } from './kit/levels.ts';
import { dashboardResultsPath, ResultsPageFrame } from './kit/results-page.tsx';
import {
  type AnswerDistributions as AnswersShape,
  type ListedOutcome,
  SAMPLE_FILTERS,
} from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';
import { NoOutcomes, SampleFilters } from './sample-filter.tsx';
import { useOutcomes } from './use-outcomes.ts';

const NAMES = ['find', ...SAMPLE_FILTERS] as const;
type AnswerFilters = Partial<Record<(typeof SAMPLE_FILTERS)[number], string>>;
type Question = AnswersShape['questions'][number];

export default function AnswerDistributionsPage() {
  const { t, language } = useResultsPageText();
  const filters = useFilters(NAMES);
  const { outcomes, error } = useOutcomes({ counted: false });
  const [visibleCount, show] = useState(QUESTIONS_PER_REQUEST);
  const { find, round, location, from, to } = filters.values;
  const names = questionsContaining(find, outcomes ?? [], language);
  const first = names.slice(0, visibleCount);
  const groups = Array.from({ length: Math.ceil(first.length / QUESTIONS_PER_REQUEST) }, (_, at) =>
    first.slice(at * QUESTIONS_PER_REQUEST, (at + 1) * QUESTIONS_PER_REQUEST),
  );
  return (
    <ResultsPageFrame page="answers">
      {outcomes ? null : <PendingContent error={error} label={t('answers.title')} rows={8} />}
      {outcomes?.length === 0 ? <NoOutcomes /> : null}
      {outcomes && outcomes.length > 0 ? (
        <FilterBar filters={filters}>
          <SearchFilter
            label={t('answers.find')}
            value={find}
            onChange={(value) => filters.set('find', value)}
          />
          <SampleFilters filters={filters} />
        </FilterBar>
      ) : null}
      {outcomes && outcomes.length > 0 && names.length === 0 ? (
        <Notice tone="info" title={t('answers.none')}>
          {t('answers.noneWhat')}
        </Notice>
      ) : null}
      {names.length > 0 ? <Key /> : null}
      {groups.map((group) => (
        <Questions key={group.join()} names={group} part={{ round, location, from, to }} />
      ))}
      {names.length > visibleCount ? (
        <PlainButton
          label={t('answers.more')}
          size="md"
          onClick={() => show(visibleCount + QUESTIONS_PER_REQUEST)}
        />
      ) : null}
    </ResultsPageFrame>
  );
}

/** Names of the questions with this text in their title or one of their choices. */
function questionsContaining(words: string, outcomes: ListedOutcome[], language: string): string[] {
  const searchText = words.toLocaleLowerCase(language);
  const has = ({ title, name }: ListedOutcome) =>
    `${titleIn(title, language, name)} ${name}`.toLocaleLowerCase(language).includes(searchText);
  return questionsEligibilityLast(outcomes.filter(has));
}

function Questions({ names, part }: { names: string[]; part: AnswerFilters }) {
  const { t, language } = useResultsPageText();
  const questionParams = names.map((name) => `question=${encodeURIComponent(name)}`).join('&');
  const rest = withQuery('', part).replace('?', '&');
  const query = useGet<AnswersShape>(`/api/analysis/answers?${questionParams}${rest}`, {
    refetchInterval: 60_000,
  });
  const answers = query.data;
  if (!answers || (query.error && query.isPlaceholderData))
    return <PendingContent error={query.error} label={t('answers.title')} rows={8} />;
  return (
    <div className="answers" data-stale={query.isPlaceholderData || undefined}>
      {answers.questions.map((question) => (
        <OneQuestion key={question.name} question={question} part={part} />
      ))}
      {answers.refused.map(({ name, title, ...fault }) => (
        <Card key={name} heading={titleIn(title, language, name)}>
          <Text my="xs">{faultText(fault)}</Text>
        </Card>
      ))}
      <AsOf at={answers.asOf} anew={query.isFetching} />
    </div>
  );
}

function OneQuestion({ question, part }: { question: Question; part: AnswerFilters }) {
  const { t, language } = useResultsPageText();
  const { count } = useFigureFormatters('CATEGORY');
  const { name, kind, known, missing, notAsked } = question;
  const title = titleIn(question.title, language, name);
  const outcome = kind === 'SEVERAL' ? null : name;
  return (
    <Card heading={title}>
      <Text c="dimmed" size="sm">
        {t('answers.answered', { known: count(known), missing: count(missing) })}
        {notAsked > 0 ? ` · ${t('answers.notAsked', { number: count(notAsked) })}` : ''}
        {kind === 'SEVERAL' ? ` · ${t('answers.several')}` : ''}
      </Text>
      {known === 0 ? <Text my="xs">{t('answers.nothing')}</Text> : null}
      {known > 0 && kind === 'NUMBER' ? <Numbers question={question} title={title} /> : null}
      {known > 0 && kind !== 'NUMBER' ? <Choices question={question} title={title} /> : null}
      {outcome ? (
        <Group gap="md" className="no-print">
          <Link
            className="tall-link"
            to={withQuery(dashboardResultsPath('estimates'), { outcome, ...part })}
            aria-label={t('answers.fullOf', { question: title })}
          >
            {t('answers.full')}
          </Link>
          {name === 'location' || part.location ? null : (
            <Link
              className="tall-link"
              to={withQuery(dashboardResultsPath('compare'), { outcome, by: 'location', ...part })}
              aria-label={t('answers.bySiteOf', { question: title })}
            >
              {t('answers.bySite')}
            </Link>
          )}
        </Group>
      ) : null}
    </Card>
  );
}

interface PictureProps {
  question: Question;
  title: string;
}

/** Most frequent first. */
function Choices({ question: { levels }, title }: PictureProps) {
  const { t, language } = useResultsPageText();
  const { short, count, cells } = useFigureFormatters('CATEGORY');
  const hidden = useSuppressedFigureText();
  const rows = levels
    .toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))
    .map((level) => ({
      ...level,
      key: titleIn(level.title, 'en', level.value ?? ''),
      label: titleIn(level.title, language, level.value ?? ''),
      says: level.hidden ? hidden : `${short(level.share)} (${count(level.count)})`,
    }));
  return (
    <BarsChart
      plain
      most={1}
      name={title}
      rows={rows.map(({ key, label, share, rds2, says }) => ({
        ...{ key, label, says },
        value: share ?? 0,
        point: rds2,
      }))}
      table={{
        head: [t('level'), t('answers.count'), t('estimator.mean'), t('answers.estimate')],
        rows: rows.map((row) =>
          row.hidden
            ? [row.label, hidden, hidden, hidden]
            : [row.label, row.count, row.share ?? null, row.rds2 ?? null],
        ),
      }}
      write={cells({ 1: 'count' })}
    />
  );
}

/** The legend for bars and points on the page. */
function Key() {
  const { t } = useResultsPageText();
  return (
    <p className="note flow">
      <span className="answers-bar" aria-hidden="true" /> {t('estimator.mean')}{' '}
      <span className="answers-point" aria-hidden="true" /> {t('answers.estimate')}
    </p>
  );
}

function Numbers({ question: { levels, spread }, title }: PictureProps) {
  const { t } = useResultsPageText();
  const { short } = useFigureFormatters('NUMBER');
  const hidden = useSuppressedFigureText();
  const [mean] = levels;
  if (!mean || mean.hidden) return <Text my="xs">{hidden}</Text>;
  if (!spread) {
    return (
      <>
        <Text my="xs">
          {t('mean')}: {short(mean.share)} · {t('answers.estimate')}: {short(mean.rds2)}
        </Text>
        <p className="note">{t('answers.noBars')}</p>
      </>
    );
  }
  const { bars, lowerQuartile, median, upperQuartile } = spread;
  const quartiles = { low: short(lowerQuartile), high: short(upperQuartile), median: short(median) };
  return (
    <>
      <Text my="xs">
        {t('answers.quartiles', { ...quartiles, mean: short(mean.share), rds2: short(mean.rds2) })}
      </Text>
      {bars.length > 1 ? <AnswerHistogram plain name={title} bars={bars} /> : null}
    </>
  );
}
