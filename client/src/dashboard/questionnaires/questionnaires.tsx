/** All versions of all questionnaires, and which one is active. */
import './questionnaire.css';

import { Anchor, Group, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import {
  languageName,
  languageNameInSentence,
} from '../../../../src/platform/lib/languages/language-name.ts';
import type { ActivationImpact } from '../../../../src/statistics/activation/schema.ts';
import { RequestRefusal } from '../../session/api.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility, useMayCreate } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import type { Questionnaire } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { ExportsLink } from '../kit/buttons/exports-link.tsx';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { OverflowMenu } from '../kit/buttons/overflow-menu.tsx';
import { useGet, useRecord } from '../kit/data/use-list.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { ActivationImpactList } from './activation-impact.tsx';
import { QuestionnaireDraftsCard } from './drafts/draft-list.tsx';
import {
  asksSomething,
  definitionLanguagesOf,
  questionsOf,
  questionTitleOf,
} from './questionnaire-outline.ts';
import { NewQuestionnaireButton } from './questionnaire-start.tsx';
import { ImportXlsformButton } from './xlsform/xlsform-import.tsx';

// Loaded on demand, because it needs the large forms library.
const SaveWindow = lazy(() => import('./xlsform/xlsform-save.tsx'));
const MissingTranslations = lazy(() => import('./build/missing-translations.tsx'));

/** "English, Spanish", or "Inglés, español". */
const languageNames = ([first, ...others]: string[], language: string, comma: string) =>
  [languageName(first ?? '', language), ...others.map((tag) => languageNameInSentence(tag, language))].join(
    comma,
  );

export default function QuestionnairesPage() {
  const { t, language, number } = useDashboardText();
  const active = useGet<Questionnaire>('/api/questionnaires/active').data;
  const mayCreate = useMayCreate('Questionnaire')(null);
  return (
    <ListPage<Questionnaire>
      minimal
      noTotal
      name="questionnaires"
      path="/api/questionnaires"
      // Versions are large, so a page has few.
      limit={20}
      subject="Questionnaire"
      title={t('versions.title')}
      lead={t('versions.lead')}
      columns={[
        { field: 'name', cell: (one) => t('versions.nameAndVersion', one) },
        {
          head: t('common.status'),
          cell: ({ active }) =>
            active ? <Tag tone="good">{t('versions.active')}</Tag> : t('versions.notActive'),
        },
        {
          head: t('versions.questions'),
          cell: ({ definition }) => number(questionsOf(definition).filter(asksSomething).length),
          numeric: true,
        },
        {
          head: t('versions.languages'),
          cell: ({ definition }) =>
            languageNames(definitionLanguagesOf(definition), language, t('common.comma')),
          roomy: true,
        },
        {
          head: t('surveys.networkSize'),
          cell: ({ definition, networkSizeQuestion }) =>
            questionTitleOf(definition, networkSizeQuestion, language),
        },
        { field: 'createdAt', as: 'moment' },
      ]}
      link={({ id }) => `/desk/questionnaires/${id}`}
      rowEnd={(one) => (
        <Stack gap={4} w={{ base: 'auto', md: 'max-content' }}>
          {one.active ? null : (
            <Group gap="sm">
              {active && active.id !== one.id ? (
                <Anchor
                  component={Link}
                  className="tall-link"
                  to={`/desk/questionnaires/${one.id}?tab=compare&with=${active.id}`}
                  aria-label={t('versions.compareThis', one)}
                >
                  {t('versions.compare')}
                </Anchor>
              ) : null}
              <ActivateQuestionnaire questionnaire={one} />
            </Group>
          )}
          <SaveForm questionnaire={one} />
        </Stack>
      )}
      empty={t('versions.none')}
      above={mayCreate ? <QuestionnaireDraftsCard /> : null}
      besideTitle={
        <>
          <OverflowMenu>
            <ExportsLink />
          </OverflowMenu>
          {mayCreate ? <ImportXlsformButton /> : null}
          {mayCreate ? <NewQuestionnaireButton active={active} /> : null}
        </>
      }
    />
  );
}

/** Makes this the version for new interviews, after explaining what that means. */
export function ActivateQuestionnaire({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  if (questionnaire.active || !ability.can('update', asPermissionSubject('Questionnaire', questionnaire)))
    return null;
  return (
    <OpenButton
      variant="default"
      size="sm"
      label={t('versions.activate')}
      recordName={t('versions.nameAndVersion', questionnaire)}
    >
      {(close) => <ActivateDialog questionnaire={questionnaire} onClose={close} />}
    </OpenButton>
  );
}

/** If data would be lost, the service refuses first; a second click confirms, with the figures on the screen. */
function ActivateDialog({ questionnaire, onClose }: { questionnaire: Questionnaire; onClose(): void }) {
  const { t } = useDashboardText();
  const path = `/api/questionnaires/${questionnaire.id}`;
  const impact = useRecord<ActivationImpact>(`${path}/activation`);
  const [isOpened, setSeen] = useState(false);
  const activate = async () => {
    try {
      await sendChange('PATCH', path, { active: true, ...(isOpened && { confirm: true }) });
      return true;
    } catch (error) {
      if (!(error instanceof RequestRefusal && error.reason === 'ACTIVATION_LOSES')) throw error;
      const { isError, error: noFigures } = await impact.refetch();
      if (isError) throw noFigures;
      setSeen(true);
      return false;
    }
  };
  return (
    <Dialog
      title={t('versions.activate')}
      text={t('versions.activateWhat', questionnaire)}
      yes={t(isOpened ? 'versions.activateAnyway' : 'versions.activateYes')}
      danger={isOpened}
      disabled={impact.isFetching || !impact.data}
      onYes={activate}
      onClose={onClose}
    >
      {impact.data ? <ActivationImpactList impact={impact.data} /> : null}
      {impact.error ? <FormError error={impact.error} /> : null}
      {isOpened ? (
        <Notice tone="warn" live title={t('versions.activateLoses')}>
          {t('versions.activateLosesWhat')}
        </Notice>
      ) : null}
      <Suspense fallback={null}>
        <MissingTranslations definition={questionnaire.definition} />
      </Suspense>
    </Dialog>
  );
}

function SaveForm({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useTranslation('xlsform');
  const { t: shared } = useDashboardText();
  const about = shared('versions.nameAndVersion', questionnaire);
  return (
    <OpenButton variant="default" size="sm" label={t('save')} recordName={about}>
      {(close) => (
        <Suspense fallback={null}>
          <SaveWindow questionnaire={questionnaire} onClose={close} />
        </Suspense>
      )}
    </OpenButton>
  );
}
