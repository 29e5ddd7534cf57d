/** Read tokens for programs: who may read what, and until when. Create and revoke them. */
import { Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { addDays } from '../../../../src/platform/lib/day.ts';
import { ReadTokenCreate, TokenScope } from '../../../../src/study/tokens/schema.ts';
import { now } from '../../device/clock.ts';
import { useStudy } from '../../session/records.ts';
import { dayIn } from '../../texts/day-in.ts';
import { fullDayOf } from '../../texts/i18n.ts';
import { fieldFaultOf } from '../../ui/field-error.ts';
import { Tag } from '../../ui/notice.tsx';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormErrorContext, FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import type { ReadToken } from '../kit/data/dashboard-wire.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { PersonName } from '../people/person-name.tsx';
import { usePersonName } from '../people/person-names.ts';
import './tokens.css';

const DEFAULT_DAYS = 90;

export default function Tokens() {
  const { t } = useDashboardText();
  return (
    <ListPage<ReadToken>
      name="tokens"
      path="/api/tokens"
      subject="ReadToken"
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      columns={useColumns()}
      rowName={({ name }) => name}
      rowActions={({ id, name }) => [
        {
          label: t('tokens.end'),
          right: 'delete',
          danger: true,
          title: t('tokens.endTitle', { name }),
          text: t('tokens.endWhat'),
          send: () => sendChange('DELETE', `/api/tokens/${id}`),
          message: t('tokens.ended', { name }),
        },
      ]}
      empty={t('tokens.none')}
      besideTitle={
        <OpenButton label={t('tokens.make')}>{(close) => <MakeToken onClose={close} />}</OpenButton>
      }
    />
  );
}

function useColumns(): ListColumn<ReadToken>[] {
  const { t, language } = useDashboardText();
  const nameOf = usePersonName();
  const today = dayIn(now(), useStudy()?.zone);
  const scopesOf = ({ scopes }: ReadToken) => scopes.map((scope) => t(`tokens.scope.${scope}`)).join(', ');
  return [
    { field: 'name', roomy: true },
    { field: 'scopes', cell: scopesOf, text: scopesOf, roomy: true },
    {
      field: 'expiresOn',
      cell: ({ expiresOn }) =>
        expiresOn < today ? (
          <Tag tone="warn">{t('tokens.expired', { day: fullDayOf(expiresOn, language) })}</Tag>
        ) : (
          fullDayOf(expiresOn, language)
        ),
      text: ({ expiresOn }) => expiresOn,
      oneLine: true,
    },
    {
      head: t('tokens.lastUsed'),
      cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
      text: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      head: t('tokens.madeBy'),
      cell: ({ createdBy }) => <PersonName id={createdBy} />,
      text: ({ createdBy }) => nameOf(createdBy),
    },
    { field: 'createdAt', as: 'age' },
  ];
}

function LastUsed({ at }: { at: string | null }) {
  const { t, age } = useDashboardText();
  return at ? age(at) : t('tokens.never');
}

function MakeToken({ onClose }: { onClose(): void }) {
  const { t } = useDashboardText();
  const zone = useStudy()?.zone;
  const [token, setToken] = useState<string | null>(null);
  const [value, setValue] = useState({
    name: '',
    scopes: [] as TokenScope[],
    expiresOn: addDays(dayIn(now(), zone), DEFAULT_DAYS),
  });
  const set = (change: Partial<typeof value>) => setValue({ ...value, ...change });
  if (token) return <ShowToken token={token} onClose={onClose} />;
  return (
    <Dialog
      title={t('tokens.make')}
      text={t('tokens.makeWhat')}
      yes={t('tokens.make')}
      disabled={value.name.trim() === '' || value.scopes.length === 0 || value.expiresOn === ''}
      onYes={async () => {
        setToken((await sendChange<{ token: string }>('POST', '/api/tokens', value)).token);
        return false;
      }}
      onClose={onClose}
    >
      <FormFields form={{ value, set }} schema={ReadTokenCreate} rows={['name', 'expiresOn']} />
      <FormErrorContext.Consumer>
        {(refusal) => (
          <Checkbox.Group
            mt="md"
            label={t('audit.field.scopes')}
            value={value.scopes}
            error={fieldFaultOf(refusal, 'scopes')}
            onChange={(scopes) => set({ scopes: scopes as TokenScope[] })}
          >
            {TokenScope.options.map((scope) => (
              <Checkbox
                key={scope}
                mt="xs"
                size="md"
                value={scope}
                label={t(`tokens.scope.${scope}`)}
                description={t(`tokens.scopeWhat.${scope}`)}
              />
            ))}
          </Checkbox.Group>
        )}
      </FormErrorContext.Consumer>
    </Dialog>
  );
}

function ShowToken({ token, onClose }: { token: string; onClose(): void }) {
  const { t } = useDashboardText();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(token);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <DashboardModal onClose={onClose} title={t('tokens.made')}>
      <Text>{t('tokens.madeWhat')}</Text>
      <div className="read-token" dir="ltr">
        <code>{token}</code>
      </div>
      <Text size="sm">{t('tokens.madeHow')}</Text>
      <div className="ask-buttons">
        <Button variant="default" onClick={() => void copy()}>
          {t(copied ? 'tokens.copied' : 'tokens.copy')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </div>
    </DashboardModal>
  );
}
