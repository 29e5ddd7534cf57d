/** What tells one interview from another in a sentence: its coupon and its site. The latest are asked for at once. */
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useGet } from '../../desk/use-list.tsx';
import { useLocationName } from '../../records.ts';
import type { ListOf, SurveyRow } from '../../wire.ts';

/** Empty for one that this person may not see, or that is long ago. `wanted`: there is one to be named. */
export function useSurveyName(wanted: boolean): (id: string) => string {
  const { t } = useDeskText();
  const siteOf = useLocationName();
  const { data } = useGet<ListOf<SurveyRow>>('/api/surveys?limit=200', { open: wanted });
  return (id) => {
    const survey = data?.data.find((one) => one.id === id);
    if (!survey) return '';
    const { referralCode, location } = survey;
    return `${referralCode ? formatCode(referralCode) : t('surveys.walkIn')}${t('common.comma')}${siteOf(location)}`;
  };
}
