/** All keyboard shortcuts of the dashboard, and the switch for single-key ones. */
import { Switch } from '@mantine/core';
import { Fragment, useState } from 'react';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { areLetterKeysOn, setLetterShortcutsOn } from '../kit/buttons/letter-keys.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { FactList } from '../kit/words/fact-list.tsx';

/** Each action with its keys. */
const KEYS = [
  ['lookUp.open', '/', 'Ctrl K'],
  ['keys.next', 'J'],
  ['keys.before', 'K'],
  ['keys.open', 'Enter'],
  ['keys.choose', 'X'],
  ['keys.chooseTo', 'Shift X'],
  ['keys.none', 'Esc'],
  ['review.to.APPROVED', 'A'],
  ['review.to.HAS_ISSUES', 'S'],
  ['review.to.REJECTED', 'R'],
  ['review.next', 'N'],
  ['keys.keys', '?'],
] as const;

export function KeyboardShortcuts({ onClose }: { onClose(): void }) {
  const { t } = useDashboardText();
  const [on, setOn] = useState(areLetterKeysOn);
  return (
    <DashboardModal onClose={onClose} title={t('keys.title')}>
      <FactList
        facts={KEYS.map(([what, ...keys]) => [
          t(what),
          <span key={what} className="keys" dir="ltr">
            {keys.map((key, at) => (
              <Fragment key={key}>
                {at > 0 ? ', ' : ''}
                <kbd>{key}</kbd>
              </Fragment>
            ))}
          </span>,
        ])}
      />
      <Switch
        size="md"
        mt="md"
        label={t('keys.letters')}
        description={t('keys.lettersWhat')}
        checked={on}
        onChange={(event) => {
          setLetterShortcutsOn(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
      />
    </DashboardModal>
  );
}
