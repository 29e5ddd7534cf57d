/** Named filters and sorting that a person uses again, stored on this device for this person. */
import { Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLocalStorageList } from '../data/local-list.ts';
import { useDashboardText } from '../words/dashboard-text.ts';

interface View {
  name: string;
  search: string;
}

const MAX_VIEWS = 20;
const MAX_NAME_LENGTH = 60;
/**
 * Left out of saved views: the position in the list, and typed text, since names and coupon codes must not stay on a
 * device.
 */
const UNSAVED_PARAMS = ['cursor', 'search', 'code'];

export function SavedViews({ list }: { list: string }) {
  const { t } = useDashboardText();
  const [storedViews, keep] = useLocalStorageList('views', list, isView);
  const views = storedViews?.slice(0, MAX_VIEWS) ?? [];
  const [open, setOpen] = useState(false);
  const now = useCurrentView();
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!open)}>
          {t('views.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.title')}>
        <ul className="rows">
          {views.map(({ name, search }) => (
            <li key={name}>
              <Link
                className="tall-link"
                to={{ search }}
                aria-current={search === now || undefined}
                onClick={() => setOpen(false)}
              >
                {name}
              </Link>
              <CloseButton
                size={44}
                aria-label={t('views.remove', { name })}
                onClick={() => keep(views.filter((one) => one.name !== name))}
              />
            </li>
          ))}
        </ul>
        {now === '' ? (
          <p className="note">{t('views.none')}</p>
        ) : views.length < MAX_VIEWS && views.every(({ search }) => search !== now) ? (
          <NewView
            onKeep={(name) => keep([...views.filter((one) => one.name !== name), { name, search: now }])}
          />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The part of the URL that a view saves. */
function useCurrentView(): string {
  const [params] = useSearchParams();
  const viewParams = new URLSearchParams(params);
  for (const name of UNSAVED_PARAMS) viewParams.delete(name);
  viewParams.sort();
  return viewParams.toString();
}

function NewView({ onKeep }: { onKeep(name: string): void }) {
  const { t } = useDashboardText();
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onKeep(name.trim());
      }}
    >
      <TextInput
        size="md"
        mt="xs"
        label={t('views.name')}
        description={t('views.what')}
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" mt="sm" fullWidth disabled={!name.trim()}>
        {t('views.keep')}
      </Button>
    </form>
  );
}

const isView = (one: unknown): one is View =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  typeof one.name === 'string' &&
  'search' in one &&
  typeof one.search === 'string';
