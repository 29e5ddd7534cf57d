/** An interview's site, and correcting it, for people who may change or review the interview at both sites. */
import { useState } from 'react';
import { ifMatchHeader, request } from '../../session/api.ts';
import { useLocationName, useLocations } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { Survey } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { refreshAndThrow } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { IncentivesAfterSiteChange } from '../payments/incentive-consequences.tsx';
import { surveyApiPath } from './survey-paths.ts';
import { useReasonField } from './use-reason-field.ts';

interface SurveySiteProps {
  survey: Survey;
  onChange(survey: Survey): void;
}

export function SurveySite({ survey, onChange }: SurveySiteProps) {
  const nameOf = useLocationName();
  const may = useMayMove(survey);
  const others = useLocations().some(({ id }) => may(id));
  return (
    <span className="survey-site">
      {nameOf(survey.location)}
      {others ? <CorrectSite survey={survey} may={may} onChange={onChange} /> : null}
    </span>
  );
}

/** The same rule as the service's: permission to update it at both sites, or to review it at both. */
function useMayMove(survey: Survey): (to: string) => boolean {
  const ability = useAbility();
  return (to) => {
    const both = [survey, { ...survey, location: to }].map((one) => asPermissionSubject('Survey', one));
    const may = (action: string) => both.every((one) => ability.can(action, one));
    return to !== survey.location && (may('update') || may('review'));
  };
}

function CorrectSite({ survey, may: mayChoose, onChange }: SurveySiteProps & { may(to: string): boolean }) {
  const { t } = useDashboardText();
  const nameOf = useLocationName();
  const [location, setLocation] = useState('');
  const correct = async (reason: string) => {
    const body = { location, reason };
    const headers = ifMatchHeader(survey.version);
    onChange(
      await request<Survey>('PATCH', surveyApiPath(survey.id), { body, headers }).catch(refreshAndThrow),
    );
  };
  const form = {
    value: { location },
    set: (change: { location?: string }) => setLocation(change.location ?? ''),
  };
  return (
    <DialogButton
      label={t('surveys.site.correct')}
      small
      text={t('surveys.site.what', { site: nameOf(survey.location) })}
      yes={t('surveys.site.correct')}
      disabled={location === ''}
      reason={useReasonField()}
      onYes={correct}
    >
      <ul className="bullets">
        <li>{t('surveys.site.figures')}</li>
        <IncentivesAfterSiteChange survey={survey} />
        {survey.issuedCodes.length > 0 ? <li>{t('surveys.site.coupons')}</li> : null}
        <li>{t('surveys.site.people')}</li>
      </ul>
      <FormFields form={form} rows={[{ name: 'location', as: 'site', site: { mayChoose } }]} />
    </DialogButton>
  );
}
