/** Assigns people to another site, with one click since it can be undone. Removing the site asks for confirmation. */
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { request } from '../../session/api.ts';
import { useLocationName, useLocations } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { User } from '../../wire.ts';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../kit/actions/use-actions.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { PeopleNames } from './approval/confirm-approval.tsx';

/** With more sites than this, there is a search field. */
const MAX_WITHOUT_SEARCH = 8;

interface AssignSiteProps {
  people: User[];
  onStart(): void;
}

export function AssignSite({ people, onStart }: AssignSiteProps) {
  const { t } = useDashboardText();
  const [open, setOpen] = useState<'sites' | 'none' | null>(null);
  const send = useSend();
  const start = async (site: string | null) => {
    setOpen(null);
    onStart();
    void send(people, () => site);
  };
  return (
    <>
      <PlainButton label={t('bulk.toSite')} onClick={() => setOpen('sites')} />
      {open === 'sites' ? (
        <ChooseSite
          people={people}
          onClose={() => setOpen(null)}
          onChoose={(site) => (site === null ? setOpen('none') : void start(site))}
        />
      ) : null}
      {open === 'none' ? (
        <Dialog
          title={t('bulk.noSiteTitle', { count: people.length })}
          text={
            <>
              <PeopleNames people={people} />
              <Text mt="sm">{t('bulk.noSiteWhat')}</Text>
              <IrreversibleNote people={people} />
            </>
          }
          yes={t('bulk.noSiteYes')}
          danger
          onYes={() => start(null)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

interface ChooseSiteProps {
  people: User[];
  onChoose(site: string | null): void;
  onClose(): void;
}

function ChooseSite({ people, onChoose, onClose }: ChooseSiteProps) {
  const { t, language } = useDashboardText();
  const sites = useLocations();
  const [text, setText] = useState('');
  const needle = text.trim().toLocaleLowerCase(language);
  const matches = sites.filter(({ name }) => name.toLocaleLowerCase(language).includes(needle));
  return (
    <DashboardModal onClose={onClose} title={t('bulk.toWhichSite')}>
      <PeopleNames people={people} />
      <Text mt="sm">{t('people.siteWhat')}</Text>
      <IrreversibleNote people={people} />
      {sites.length > MAX_WITHOUT_SEARCH ? (
        <TextInput
          mt="md"
          type="search"
          label={t('bulk.findSite')}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <ul className="column" style={{ marginTop: 16 }}>
        {matches.map(({ id, name }, at) => (
          <li key={id}>
            <Button
              variant="default"
              fullWidth
              justify="start"
              mih={44}
              data-autofocus={(at === 0 && sites.length <= MAX_WITHOUT_SEARCH) || undefined}
              onClick={() => onChoose(id)}
            >
              {name}
            </Button>
          </li>
        ))}
        {needle ? null : (
          <li>
            <Button variant="default" fullWidth justify="start" mih={44} onClick={() => onChoose(null)}>
              {t('common.noSite')}
            </Button>
          </li>
        )}
      </ul>
    </DashboardModal>
  );
}

function IrreversibleNote({ people }: { people: User[] }) {
  const { t } = useDashboardText();
  const canTakeBack = useCanUndo();
  return people.every((user) => canTakeBack(user)) ? null : <Text mt="sm">{t('bulk.siteForGood')}</Text>;
}

/** False if the person would lose access, as a manager does when assigning someone to another site. */
function useCanUndo(): (user: User) => boolean {
  const ability = useAbility();
  return (user) =>
    ability.can('update', asPermissionSubject('User', { ...user, location: 'another' }), 'location');
}

function useSend() {
  const acts = useSurroundingPageActions();
  const { t } = useDashboardText();
  const siteName = useLocationName();
  const canTakeBack = useCanUndo();
  /** `undoing`: expects the people as the first change left them, and fails if someone reassigned them since. */
  const send = (people: User[], siteOf: (user: User) => string | null, undoing = false): Promise<void> =>
    acts.run<User, User>({
      items: people,
      one: (user) =>
        request('PATCH', `/api/users/${user.id}`, {
          body: { location: siteOf(user), ...(undoing ? { was: { location: user.location } } : {}) },
        }),
      name: fullName,
      messageOf: (results) => {
        if (undoing) return t('bulk.undone', { count: results.length });
        const site = results[0]?.location;
        return t('bulk.siteDone', {
          count: results.length,
          site: site ? siteName(site) : t('common.noSite'),
        });
      },
      undo: (after, before) => {
        const siteBefore = new Map(before.map(({ id, location }) => [id, location]));
        return !undoing && before.every(canTakeBack)
          ? () => void send(after, ({ id }) => siteBefore.get(id) ?? null, true)
          : null;
      },
    });
  return send;
}
