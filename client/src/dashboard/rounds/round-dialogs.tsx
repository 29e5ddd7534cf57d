/** Dialogs that open, close and rename a round. */
import { List } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import {
  type Round,
  type RoundClosingPreview,
  RoundCreate,
  RoundPatch,
} from '../../../../src/study/rounds/schema.ts';
import { useStudy } from '../../session/records.ts';
import { dayIn } from '../../texts/day-in.ts';
import { moneyText } from '../../texts/money.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { PendingContent } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { PersonName } from '../people/person-name.tsx';

export type RoundRow = z.infer<typeof Round>;

interface RoundDialogProps {
  round: RoundRow;
  onClose(): void;
}

/** Shows what is still open before closing: coupons, phones, payments, reviews. */
export function CloseRound({ round, onClose }: RoundDialogProps) {
  const { t, number, language } = useDashboardText();
  const toast = useToast();
  const currency = useStudy()?.incentives.currency;
  const dueText = ({ count, total }: z.infer<typeof RoundClosingPreview>['due']) =>
    count > 0 && total !== null && currency
      ? t('rounds.dueOut', { count, total: moneyText(total, currency, language) })
      : t('rounds.dueCount', { count });
  const path = `/api/rounds/${round.id}`;
  const out = useGet<z.infer<typeof RoundClosingPreview>>(`${path}/closing`);
  return (
    <Dialog
      title={t('rounds.closeTitle', round)}
      text={t('rounds.closeWhat')}
      yes={t('rounds.close')}
      disabled={!out.data}
      onYes={async () => {
        await sendChange('POST', `${path}/close`);
        toast(t('rounds.closed', round));
      }}
      onClose={onClose}
    >
      {out.data ? (
        <List mt="md">
          <List.Item>{t('rounds.couponsOut', { count: out.data.couponsOut })}</List.Item>
          <List.Item>
            {t('rounds.devicesOut', { count: out.data.devices.length })}
            {out.data.devices.map(({ id, user, unsent, refused }) => (
              <div key={id}>
                <PersonName id={user} />: {number(unsent + refused)}
              </div>
            ))}
          </List.Item>
          <List.Item>{dueText(out.data.due)}</List.Item>
          <List.Item>{t('rounds.unreviewed', { count: out.data.unreviewed })}</List.Item>
        </List>
      ) : (
        <PendingContent error={out.error} label={t('rounds.close')} rows={4} />
      )}
    </Dialog>
  );
}

export function OpenRound({ onClose }: { onClose(): void }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const study = useStudy();
  const [value, setValue] = useState({
    ...{ name: '', startsOn: dayIn(Date.now(), study?.timeZone), endsOn: '', resetVolunteers: false },
    ...{ targetSampleSize: null as number | null, populationSize: null as number | null },
  });
  const save = async () => {
    await sendChange('POST', '/api/rounds', { ...value, endsOn: value.endsOn || null });
    toast(t('rounds.opened', value));
  };
  return (
    <Dialog
      title={t('rounds.open')}
      text={t('rounds.openWhat')}
      yes={t('rounds.open')}
      onYes={save}
      onClose={onClose}
    >
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        schema={RoundCreate}
        rows={[
          { name: 'name', attributes: { required: true, 'data-autofocus': true } },
          ['startsOn', 'endsOn'],
          ['targetSampleSize', 'populationSize'],
          { name: 'resetVolunteers', label: t('rounds.reset'), description: t('rounds.resetWhat') },
        ]}
      />
    </Dialog>
  );
}

export function RenameRound({ round, onClose }: RoundDialogProps) {
  const { t } = useDashboardText();
  const [value, setValue] = useState({ name: round.name });
  return (
    <Dialog
      title={t('rounds.rename')}
      yes={t('common.save')}
      onYes={() => sendChange('PATCH', `/api/rounds/${round.id}`, value)}
      onClose={onClose}
    >
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        schema={RoundPatch}
        rows={[{ name: 'name', attributes: { required: true, 'data-autofocus': true } }]}
      />
    </Dialog>
  );
}
