/** A questionnaire that isn't stored yet: blank, from the short one, or a copy. */
import './questionnaire.css';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { SHORT_QUESTIONNAIRE } from '../../../../src/questionnaires/shipped/short-questionnaire.ts';
import type { Questionnaire } from '../../wire.ts';
import { useRecord } from '../kit/data/use-list.tsx';
import { DashboardPage, PendingContent } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { useDraftState, useQuestionnaireDraft } from './drafts/questionnaire-draft.ts';
import QuestionnaireEdit from './questionnaire-edit.tsx';

/** Version 0 isn't stored. */
const EMPTY_QUESTIONNAIRE: Questionnaire = {
  id: 'new blank',
  name: '',
  version: 0,
  definition: { pages: [{ name: 'page1', elements: [] }] },
  networkSizeQuestion: '',
  takesPartIf: null,
  identityQuestions: null,
  active: false,
  createdAt: '',
};

export default function QuestionnaireNew() {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('builder');
  const [params, setParams] = useSearchParams();
  const from = params.get('from') ?? 'blank';
  const id = params.get('draft');
  const isCopy = !['blank', 'short'].includes(from);
  const original = useRecord<Questionnaire>(`/api/questionnaires/${from}`, isCopy);
  const start = useMemo((): Questionnaire | undefined => {
    if (from === 'short') return { ...EMPTY_QUESTIONNAIRE, ...SHORT_QUESTIONNAIRE, id: 'new short' };
    if (!isCopy) return EMPTY_QUESTIONNAIRE;
    if (!original.data) return undefined;
    const { name } = original.data;
    return { ...original.data, id: `new ${from}`, name: own('start.copyName', { name }), version: 0 };
  }, [from, isCopy, original.data, own]);
  const open = useQuestionnaireDraft({ base: null, id, from });
  const { isLoading, seen: serverDraft } = useDraftState(open);
  // So that a reload finds the draft.
  useEffect(() => {
    if (serverDraft && serverDraft.id !== id) setParams({ from, draft: serverDraft.id }, { replace: true });
  }, [serverDraft, id, from, setParams]);
  return (
    <DashboardPage title={own('start.title')} back="/desk/questionnaires">
      {start && !isLoading ? (
        <div className="dashboard">
          <QuestionnaireEdit questionnaire={start} open={open} />
        </div>
      ) : (
        <PendingContent error={original.error} label={t('versions.one')} rows={10} />
      )}
    </DashboardPage>
  );
}
