/** One version of a questionnaire: read it, try it, compare it, or start the next version from it. */
import './questionnaire.css';
import { Group, Tabs, Text } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useParams } from 'react-router';
import { useMayCreate } from '../../session/session.tsx';
import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Questionnaire } from '../../wire.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useRecord } from '../kit/data/use-list.tsx';
import { useAddressParams } from '../kit/list/address.ts';
import { DashboardPage, ListSkeleton, PendingPage } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { CalculatedValuesView, ClosingTextsView } from './closing-and-calculated-view.tsx';
import { useDraftState, useQuestionnaireDraft } from './drafts/questionnaire-draft.ts';
import { VersionComparison } from './questionnaire-compare.tsx';
import {
  asksSomething,
  type QuestionOutline,
  questionsOf,
  sharedLogic,
  textInLanguage,
} from './questionnaire-outline.ts';
import { EligibilityRule, namesKnownIn, PageConditionNote, QuestionView } from './questionnaire-question.tsx';
import { ActivateQuestionnaire } from './questionnaires.tsx';

// The forms library is large, so it only loads when a form is shown.
const Try = lazy(() => import('./questionnaire-try.tsx'));
const loadEdit = () => import('./questionnaire-edit.tsx');
const Edit = lazy(loadEdit);

export default function QuestionnairePage() {
  const { t } = useDashboardText();
  const { id = '' } = useParams();
  const { data, error } = useRecord<Questionnaire>(`/api/questionnaires/${id}`);
  if (data) return <Version key={id} questionnaire={data} />;
  return <PendingPage title={t('versions.one')} back="/desk/questionnaires" error={error} />;
}

const TABS = ['questions', 'try', 'edit', 'compare'] as const;

function Version({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t, moment } = useDashboardText();
  const { params, change } = useAddressParams();
  const mayCreate = useMayCreate('Questionnaire')(null);
  const open = TABS.filter((tab) => tab !== 'edit' || mayCreate);
  const tab = open.find((one) => one === params.get('tab')) ?? 'questions';
  const draft = useQuestionnaireDraft({ base: questionnaire.id, id: null }, mayCreate);
  const state = useDraftState(draft);
  // Loads the editor's code while the draft loads.
  useEffect(() => {
    if (tab === 'edit') void loadEdit().catch(() => undefined);
  }, [tab]);
  const choose = (next: string | null) => change({ tab: next ?? 'questions' });
  return (
    <DashboardPage
      title={t('versions.nameAndVersion', questionnaire)}
      back="/desk/questionnaires"
      besideTitle={<ActivateQuestionnaire questionnaire={questionnaire} />}
    >
      <Text component="div">
        {questionnaire.active ? (
          <Tag tone="good">{t('versions.active')}</Tag>
        ) : (
          <Tag tone="info">{t('versions.notActive')}</Tag>
        )}{' '}
        {state.draft ? <Tag tone="warn">{t('versions.draft')}</Tag> : null}{' '}
        {t('versions.made', { at: moment(questionnaire.createdAt) })}
      </Text>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label={t('versions.one')}>
          {open.map((one) => (
            <Tabs.Tab key={one} value={one} h={48}>
              {t(`versions.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <div className="dashboard">
            <Suspense fallback={<ListSkeleton label={t(`versions.tab.${tab}`)} />}>
              {tab === 'questions' ? (
                <Questions questionnaire={questionnaire} onEdit={mayCreate ? () => choose('edit') : null} />
              ) : null}
              {tab === 'try' ? <Try definition={questionnaire.definition} /> : null}
              {tab === 'edit' && !state.isLoading ? (
                <Edit questionnaire={questionnaire} open={draft} />
              ) : null}
              {tab === 'edit' && state.isLoading ? <ListSkeleton label={t('versions.tab.edit')} /> : null}
              {tab === 'compare' ? (
                <VersionComparison questionnaire={questionnaire} draft={state.draft} />
              ) : null}
            </Suspense>
          </div>
        </Tabs.Panel>
      </Tabs>
    </DashboardPage>
  );
}

interface QuestionsProps {
  questionnaire: Questionnaire;
  /** Opens the editor; null for people who may not edit. */
  onEdit: (() => void) | null;
}

function Questions({ questionnaire, onEdit }: QuestionsProps) {
  const { t, language, counted } = useDashboardText();
  const questions = questionsOf(questionnaire.definition);
  const knownNames = namesKnownIn(questionnaire.definition);
  const count = questions.filter(asksSomething).length;
  const pages = new Map<string, QuestionOutline[]>();
  for (const question of questions) {
    const page = textInLanguage(question.page, language);
    pages.set(page, [...(pages.get(page) ?? []), question]);
  }
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Text>{t('versions.count', counted(count))}</Text>
        {onEdit ? <PlainButton label={t('versions.toChange')} size="md" onClick={onEdit} /> : null}
      </Group>
      {questionnaire.takesPartIf ? (
        <EligibilityRule rule={questionnaire.takesPartIf} knownNames={knownNames} />
      ) : null}
      {[...pages].map(([page, ofPage]) => (
        <Card key={page} label={page}>
          <h2>{page}</h2>
          <PageConditionNote logic={sharedLogic(ofPage)} knownNames={knownNames} />
          <ul className="versions-questions">
            {ofPage.map((question) => (
              <QuestionView
                key={question.name}
                question={question}
                knownNames={knownNames}
                logicTexts={sharedLogic(ofPage)}
                isNetworkSize={question.name === questionnaire.networkSizeQuestion}
                isIdentityQuestion={questionnaire.identityQuestions?.includes(question.name) ?? false}
              />
            ))}
          </ul>
        </Card>
      ))}
      <ClosingTextsView definition={questionnaire.definition} knownNames={knownNames} />
      <CalculatedValuesView definition={questionnaire.definition} knownNames={knownNames} />
    </>
  );
}
