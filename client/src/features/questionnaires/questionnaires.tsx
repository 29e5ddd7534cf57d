/** All versions of the questions: which one is asked now, and what each is about. */
import './questionnaire.css';

import { Anchor, Button, Group, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { languageName, languageWithin } from '../../../../src/lib/language-name.ts';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { ExportsLink } from '../../desk/exports-link.tsx';
import { useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { shortMomentOf } from '../../desk/moment.ts';
import { RarerActs } from '../../desk/rarer-acts.tsx';
import { refreshDesk, useGet, useList } from '../../desk/use-list.tsx';
import { numberOf } from '../../i18n.ts';
import { keys } from '../../query-keys.ts';
import { queriesNow } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility, useMayCreate } from '../../session.tsx';
import { Tag } from '../../ui/notice.tsx';
import type { Questionnaire } from '../../wire.ts';
import { asksSomething, languagesOf, questionsOf, titleOf } from './questionnaire-outline.ts';
import { StartButton } from './questionnaire-start.tsx';
import { ImportForm } from './xlsform-import.tsx';

// What turns a questionnaire into a form needs the form library, which is large.
const SaveWindow = lazy(() => import('./xlsform-save.tsx'));
const MissingWords = lazy(() => import('./build/missing-words.tsx'));

/** Each is large, so a page is short. */
const PAGE = '20';

/** "English, Spanish", or "Inglés, español". */
const namesOf = ([first, ...others]: string[], language: string, comma: string) =>
  [languageName(first ?? '', language), ...others.map((tag) => languageWithin(tag, language))].join(comma);

export default function Questionnaires() {
  const { t, language } = useDeskText();
  const { cursor } = useFilters([]);
  const listing = useList<Questionnaire>('/api/questionnaires', { limit: PAGE, cursor });
  const active = useGet<Questionnaire>('/api/questionnaires/active');
  const columns: Column<Questionnaire>[] = [
    { head: t('common.name'), cell: (one) => t('versions.nameAndVersion', one) },
    {
      head: t('common.status'),
      cell: (one) => (one.active ? <Tag tone="good">{t('versions.active')}</Tag> : t('versions.notActive')),
    },
    {
      head: t('versions.questions'),
      cell: ({ definition }) => numberOf(questionsOf(definition).filter(asksSomething).length, language),
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
    { head: t('common.created'), cell: ({ createdAt }) => shortMomentOf(createdAt, language) },
  ];
  const mayCreate = useMayCreate('Questionnaire')(null);
  const other = (one: Questionnaire) => active.data && active.data.id !== one.id;
  return (
    <DeskPage
      title={t('versions.title')}
      lead={t('versions.lead')}
      beside={
        <>
          <RarerActs>
            <ExportsLink />
          </RarerActs>
          {mayCreate ? <ImportForm /> : null}
          {mayCreate ? <StartButton active={active.data} /> : null}
        </>
      }
    >
      <Table
        label={t('versions.title')}
        listing={listing}
        columns={columns}
        id={({ id }) => id}
        link={({ id }) => `/desk/questionnaires/${id}`}
        empty={t('versions.none')}
        actions={(one) => (
          <Stack gap={4} w={{ base: 'auto', md: 'max-content' }}>
            {one.active ? null : (
              <Group gap="sm">
                {other(one) ? (
                  <Anchor
                    component={Link}
                    className="tall-link"
                    to={`/desk/questionnaires/${one.id}?tab=compare&with=${active.data?.id}`}
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
      />
      <Pager listing={listing} />
    </DeskPage>
  );
}

/** Makes it the one that new interviews answer, after toast what that means. */
export function Activate({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useDeskText();
  const ability = useAbility();
  if (questionnaire.active || !ability.can('update', asRecord('Questionnaire', questionnaire))) return null;
  const activate = async () => {
    await request('PATCH', `/api/questionnaires/${questionnaire.id}`, { body: { active: true } });
    await Promise.all([refreshDesk(), queriesNow().invalidateQueries({ queryKey: keys.active })]);
  };
  return (
    <DialogButton
      small
      label={t('versions.activate')}
      about={t('versions.nameAndVersion', questionnaire)}
      text={t('versions.activateWhat', questionnaire)}
      yes={t('versions.activateYes')}
      onYes={activate}
    >
      <Suspense fallback={null}>
        <MissingWords definition={questionnaire.definition} />
      </Suspense>
    </DialogButton>
  );
}

function SaveForm({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useTranslation('xlsform');
  const { t: desk } = useDeskText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={`${t('save')}: ${desk('versions.nameAndVersion', questionnaire)}`}
        onClick={() => setOpen(true)}
      >
        {t('save')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <SaveWindow questionnaire={questionnaire} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
