/** What was changed in an interview, by whom and when, with the texts of its own questionnaire. */

import { Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { SurveyHistory } from '../../../../src/interviews/surveys/schema.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Survey } from '../../wire.ts';
import { AuditedChanges } from '../history/changes.tsx';
import type { RecordNames } from '../history/record-name.ts';
import { useDoerName } from '../history/sentence.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName } from '../people/person-names.ts';

export function History({ survey }: { survey: Survey }) {
  const { t, moment } = useDashboardText();
  const personOf = usePersonName();
  const behind = useDoerName();
  const { id, location, questionnaire, referralCode: code } = survey;
  const own: RecordNames = {
    [id]: { subject: 'Survey', name: null, code, location, questionnaire, deleted: false },
  };
  const query = useGet<z.infer<typeof SurveyHistory>>(`/api/surveys/${survey.id}/history`);
  const happenings = query.data;
  const mayAudit = useAbility().can('read', 'AuditEvent');
  return (
    <Card heading={t('surveys.history')}>
      <FormError error={query.error} />
      {query.isPending ? <Skeleton height={22} mt="sm" /> : null}
      {happenings ? (
        <ul className="rows survey-list">
          {happenings.toReversed().map(({ at, by, action, reason, changes, names }) => (
            <li key={`${at}-${by}`} style={{ display: 'block' }}>
              <Text size="sm" c="dimmed" component="div">
                {moment(at)} · {behind({ by, names })}
              </Text>
              {action ? t('surveys.erasedHere') : null}
              <AuditedChanges
                subject="Survey"
                record={survey.id}
                changes={changes}
                names={{ ...own, ...names }}
                reason={reason}
              />
            </li>
          ))}
          <li>
            <Text size="sm" c="dimmed" component="div">
              {moment(survey.createdAt)} · {personOf(survey.createdBy)}
            </Text>
            <span>{t('surveys.arrived')}</span>
          </li>
        </ul>
      ) : null}
      {mayAudit ? (
        <Link to={`/desk/audit?record=${id}&action=read`} className="tall-link">
          {t('surveys.readers')}
        </Link>
      ) : null}
    </Card>
  );
}
