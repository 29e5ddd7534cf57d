/** What journals require in a report on this kind of study, to print, copy, or save. */
import { Button } from '@mantine/core';
import { withQuery } from '../../../session/api.ts';
import { useStudyName } from '../../../session/records.ts';
import { Card } from '../../../ui/page.tsx';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { saveFile } from '../../kit/data/save-file.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import { PendingContent } from '../../kit/list/dashboard-page.tsx';
import { fileNameFor } from '../chart/save-chart.ts';
import { AsOf } from '../kit/as-of.tsx';
import { ResultsPageFrame } from '../kit/results-page.tsx';
import type { StrobeReport } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { useOutcomes } from '../use-outcomes.ts';
import {
  hasLevels,
  type OutcomeLevelRows,
  REPORT_LEVEL_COLUMNS,
  reportLevelsByQuestion,
} from './report-levels.ts';
import { tableOfValue } from './report-table.ts';
import { ReportLevels, ReportValue } from './report-value.tsx';

export default function ReportPage() {
  const { t, moment } = useResultsPageText();
  const study = useStudyName() ?? '';
  const query = useGet<StrobeReport>(withQuery('/api/analysis/report', { round: useRoundParam() }), {
    refetchInterval: 5 * 60_000,
  });
  const { outcomes, isCounted, error } = useOutcomes({ counted: query.data !== undefined });
  const fault = query.error ?? error;
  // Until the counts load, the site levels have no names.
  const report = isCounted ? query.data : undefined;
  const groups = report && outcomes ? reportLevelsByQuestion(report.items, outcomes) : [];
  const name = t('report.of', { study });
  const save = () => {
    if (!report) return;
    const asOf = t('asOf', { at: moment(report.asOf) });
    const text = markdownOf(report, { name, asOf, groups });
    saveFile(new Blob([text], { type: 'text/markdown' }), `${fileNameFor(name)}.md`);
  };
  return (
    <ResultsPageFrame
      page="report"
      beside={
        report ? (
          <>
            <Button className="no-print" onClick={() => window.print()}>
              {t('report.print')}
            </Button>
            <Button className="no-print" variant="default" onClick={save}>
              {t('report.markdown')}
            </Button>
          </>
        ) : null
      }
    >
      {report ? null : <PendingContent error={fault} label={t('report.title')} rows={12} />}
      {report ? (
        <Card label={t('report.title')}>
          <h2>{name}</h2>
          <AsOf at={report.asOf} anew={query.isFetching} />
          {/* The service writes the items in English, for journals. */}
          <div className="report" lang="en" dir="ltr">
            {report.items
              .filter((item) => !hasLevels(item))
              .map((item) => (
                <section key={`${item.item} ${item.name}`} aria-label={item.name}>
                  <h3>
                    <span className="report-item">{item.item}</span> {item.name}
                  </h3>
                  {item.reason ? <p className="note">{item.reason}</p> : <p>{item.text}</p>}
                  <ReportValue label={item.name} value={item.value} />
                </section>
              ))}
            {groups.length > 0 ? (
              <section aria-label={LEVELS} className="report-long">
                <h3>
                  <span className="report-item">14</span> {LEVELS}
                </h3>
                <ReportLevels label={LEVELS} groups={groups} />
              </section>
            ) : null}
          </div>
        </Card>
      ) : null}
    </ResultsPageFrame>
  );
}

/** Escapes Markdown. */
const plain = (text: string) => text.replace(/[\\`*_[\]<>|#]/g, '\\$&');

const line = (cells: readonly unknown[]) =>
  `| ${cells.map((cell) => plain(String(cell ?? ''))).join(' | ')} |`;

const tableHead = (head: readonly string[]) => [line(head), line(head.map(() => '---')).replaceAll('\\', '')];

function tableIn(value: unknown): string[] {
  const table = tableOfValue(value);
  return table ? [...tableHead(table.head), ...table.rows.map(line), ''] : [];
}

function levelsIn(groups: OutcomeLevelRows[]): string[] {
  const rows = groups.flatMap(({ title, rows: levels }) => [
    `| **${plain(title)}** | | | |`,
    ...levels.map(({ label, known, mean, rds2 }) => line([label, known, mean, rds2])),
  ]);
  return rows.length > 0 ? [`## 14 ${LEVELS}`, '', ...tableHead(REPORT_LEVEL_COLUMNS), ...rows, ''] : [];
}

/** Heading of the section on all questions. */
const LEVELS = 'The sample by answer, unweighted and weighted';

interface ReportContext {
  name: string;
  asOf: string;
  groups: OutcomeLevelRows[];
}

/** The report as Markdown, for a manuscript. */
function markdownOf(report: StrobeReport, { name, asOf, groups }: ReportContext): string {
  const items = report.items
    .filter((item) => !hasLevels(item))
    .flatMap((item) => [
      `## ${plain(String(item.item))} ${plain(item.name)}`,
      '',
      item.reason ? `*${plain(item.reason)}*` : plain(item.text),
      '',
      ...tableIn(item.value),
    ]);
  return [`# ${plain(name)}`, '', plain(asOf), '', ...items, ...levelsIn(groups)].join('\n');
}
