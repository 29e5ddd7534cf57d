/** The result of importing each interview of a rescue file, in plain words. */
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import {
  interviewDate,
  type RescuedSurvey,
} from '../../../../../src/interviews/surveys/import/rescue-file.ts';
import { CodeText } from '../../../phone/coupons/code-text.tsx';
import { faultText } from '../../../session/fault-text.ts';
import { useProblemText } from '../../../session/problem-text.ts';
import { useLocationName } from '../../../session/records.ts';
import { Tag, type Tone } from '../../../ui/notice.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { ReportTable } from '../../kit/words/report-table.tsx';
import type { ImportOutcome, ImportOutcomes } from './rescue-send.ts';

export type RescuedSurveyState = 'waiting' | 'stored' | 'known' | 'twice' | 'refused';

export function rescueImportStateOf(outcome: ImportOutcome | undefined): RescuedSurveyState {
  if (!outcome) return 'waiting';
  if (outcome.status === 201) return 'stored';
  if (outcome.status === 200) return 'known';
  return outcome.code === 'EDIT_CONFLICT' ? 'twice' : 'refused';
}

const TONES: Record<RescuedSurveyState, Tone> = {
  waiting: 'info',
  stored: 'good',
  known: 'good',
  twice: 'warn',
  refused: 'bad',
};

interface OutcomeTableProps {
  surveys: RescuedSurvey[];
  outcomes: ImportOutcomes;
}

export function ImportOutcomeTable({ surveys, outcomes }: OutcomeTableProps) {
  const { t, moment } = useDashboardText();
  const siteOf = useLocationName();
  const heldAt = (survey: RescuedSurvey) => {
    const date = interviewDate(survey);
    return date ? moment(date) : t('common.none');
  };
  const siteIn = ({ body: { location } }: RescuedSurvey) =>
    typeof location === 'string' ? siteOf(location) : t('common.none');
  const couponOf = ({ body: { referralCode } }: RescuedSurvey) =>
    typeof referralCode === 'string' ? <CodeText code={referralCode} /> : t('surveys.walkIn');
  return (
    <ReportTable
      label={t('rescueImport.report')}
      rows={surveys}
      keyOf={({ body }) => body.clientId}
      columns={[
        { head: t('surveys.held'), cell: heldAt },
        { head: t('common.site'), cell: siteIn },
        { head: t('surveys.coupon'), cell: couponOf },
        {
          head: t('rescueImport.outcome'),
          cell: (survey) => <OutcomeText survey={survey} outcome={outcomes.get(survey.body.clientId)} />,
        },
      ]}
    />
  );
}

function OutcomeText({ survey, outcome }: { survey: RescuedSurvey; outcome: ImportOutcome | undefined }) {
  const { t } = useDashboardText();
  const result = rescueImportStateOf(outcome);
  return (
    <div>
      <Tag tone={TONES[result]}>{t(`rescueImport.results.${result}`)}</Tag>{' '}
      {outcome?.id ? <Link to={`/desk/surveys/${outcome.id}`}>{t('rescueImport.see')}</Link> : null}
      {result === 'twice' ? <Text size="sm">{t('rescueImport.twiceWhat')}</Text> : null}
      {result === 'refused' && outcome ? <Why outcome={outcome} /> : null}
      {outcome?.id && survey.late.length > 0 ? (
        <Text size="sm">
          {t('rescueImport.late')}{' '}
          {survey.late.map((code) => (
            <CodeText key={code} code={code} />
          ))}
        </Text>
      ) : null}
    </div>
  );
}

/** The reason, and the invalid answers. */
function Why({ outcome: { code, message, errors = [], ...rest } }: { outcome: ImportOutcome }) {
  const problemText = useProblemText();
  const plain = problemText({ ...rest, code, message: message ?? '' });
  return (
    <Text size="sm" component="div">
      {plain}
      {errors.map((fault) => (
        <div key={fault.path}>
          <code>{fault.path.replace(/^responses\./, '')}</code>: <bdi>{faultText(fault)}</bdi>
        </div>
      ))}
    </Text>
  );
}
