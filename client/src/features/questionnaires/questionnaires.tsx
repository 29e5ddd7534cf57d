/** All versions of all questionnaires, and which one is active. */
import './questionnaire.css';

import { Anchor, Group, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ActivationImpact } from '../../../../src/activation/schema.ts';
import { languageName, languageNameInSentence } from '../../../../src/lib/language-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { ExportsLink } from '../../desk/exports-link.tsx';
import { ListPage } from '../../desk/list.tsx';
import { OpenButton } from '../../desk/open-button.tsx';
import { OverflowMenu } from '../../desk/overflow-menu.tsx';
import { send } from '../../desk/send.ts';
import { useGet } from '../../desk/use-list.tsx';
import { asRecord } from '../../rights.ts';
import { useAbility, useMayCreate } from '../../session.tsx';
import { Tag } from '../../ui/notice.tsx';
import type { Questionnaire } from '../../wire.ts';
import { ActivationImpactList } from './activation-impact.tsx';
import { asksSomething, languagesOf, questionsOf, titleOf } from './questionnaire-outline.ts';
import { StartButton } from './questionnaire-start.tsx';
import { ImportForm } from './xlsform-import.tsx';

// What turns a questionnaire into a form needs the form library, which is large.
const SaveWindow = lazy(() => import('./xlsform-save.tsx'));
const MissingWords = lazy(() => import('./build/missing-words.tsx'));

/** "English, Spanish", or "Inglés, español". */
const namesOf = ([first, ...others]: string[], language: string, comma: string) =>
  [languageName(first ?? '', language), ...others.map((tag) => languageNameInSentence(tag, language))].join(
    comma,
  );

export default function Questionnaires() {
  const { t, language, number } = useDeskText();
  const active = useGet<Questionnaire>('/api/questionnaires/active').data;
  const mayCreate = useMayCreate('Questionnaire')(null);
  return (
    <ListPage<Questionnaire>
      minimal
      noTotal
      name="questionnaires"
      path="/api/questionnaires"
      // Each is large, so a page is short.
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
          cell: ({ definition }) => namesOf(languagesOf(definition), language, t('common.comma')),
          roomy: true,
        },
        {
          head: t('surveys.networkSize'),
          cell: ({ definition, networkSizeQuestion }) => titleOf(definition, networkSizeQuestion, language),
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
              <Activate questionnaire={one} />
            </Group>
          )}
          <SaveForm questionnaire={one} />
        </Stack>
      )}
      empty={t('versions.none')}
      beside={
        <>
          <OverflowMenu>
            <ExportsLink />
          </OverflowMenu>
          {mayCreate ? <ImportForm /> : null}
          {mayCreate ? <StartButton active={active} /> : null}
        </>
      }
    />
  );
}

/** Makes it the one that new interviews answer, after saying what that means. */
export function Activate({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useDeskText();
  const ability = useAbility();
  if (questionnaire.active || !ability.can('update', asRecord('Questionnaire', questionnaire))) return null;
  return (
    <DialogButton
      small
      label={t('versions.activate')}
      about={t('versions.nameAndVersion', questionnaire)}
      text={t('versions.activateWhat', questionnaire)}
      yes={t('versions.activateYes')}
      onYes={() => send('PATCH', `/api/questionnaires/${questionnaire.id}`, { active: true, confirm: true })}
    >
      <Impact id={questionnaire.id} />
      <Suspense fallback={null}>
        <MissingWords definition={questionnaire.definition} />
      </Suspense>
    </DialogButton>
  );
}

/** Asked for when the dialog opens. */
function Impact({ id }: { id: string }) {
  const { data } = useGet<ActivationImpact>(`/api/questionnaires/${id}/activation`);
  return data ? <ActivationImpactList impact={data} /> : null;
}

function SaveForm({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useTranslation('xlsform');
  const { t: desk } = useDeskText();
  const about = desk('versions.nameAndVersion', questionnaire);
  return (
    <OpenButton variant="default" size="sm" label={t('save')} about={about}>
      {(close) => (
        <Suspense fallback={null}>
          <SaveWindow questionnaire={questionnaire} onClose={close} />
        </Suspense>
      )}
    </OpenButton>
  );
}
