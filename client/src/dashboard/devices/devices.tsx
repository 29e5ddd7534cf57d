/** What phones still have to send, worst first. */
import { now } from '../../device/clock.ts';
import { Tag } from '../../ui/notice.tsx';
import type { Device } from '../kit/data/dashboard-wire.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { PersonName } from '../people/person-name.tsx';
import { usePersonName } from '../people/person-names.ts';

const LATE_AFTER_MS = 24 * 3_600_000;

const isLate = ({ oldestUnsentAt }: Device) =>
  oldestUnsentAt !== null && now() - Date.parse(oldestUnsentAt) > LATE_AFTER_MS;

export default function Devices() {
  const { t, age } = useDashboardText();
  const nameOf = usePersonName();
  const columns: ListColumn<Device>[] = [
    {
      head: t('devices.person'),
      cell: ({ user }) => <PersonName id={user} />,
      text: ({ user }) => nameOf(user),
      roomy: true,
    },
    { field: 'location', as: 'site' },
    { field: 'unsent', as: 'number' },
    { field: 'refused', as: 'number' },
    {
      field: 'oldestUnsentAt',
      name: 'oldestUnsentAt',
      sort: 'oldestUnsentAt',
      cell: (device) =>
        device.oldestUnsentAt === null ? null : isLate(device) ? (
          <Tag tone="warn">{age(device.oldestUnsentAt)}</Tag>
        ) : (
          age(device.oldestUnsentAt)
        ),
      text: ({ oldestUnsentAt }) => oldestUnsentAt ?? '',
      oneLine: true,
    },
    { field: 'drafts', as: 'number' },
    { field: 'codesLeft', as: 'number' },
    { field: 'reportedAt', as: 'age' },
    { field: 'appVersion', name: 'appVersion', extra: true },
  ];
  return (
    <ListPage<Device>
      name="devices"
      path="/api/devices"
      subject="Recruitment"
      title={t('devices.title')}
      lead={t('devices.lead')}
      filters={[
        { name: 'location', as: 'site' },
        {
          name: 'pending',
          as: 'segments',
          label: t('devices.which'),
          values: ['', 'true'],
          options: [
            { value: '', label: t('devices.all') },
            { value: 'true', label: t('devices.pending') },
          ],
        },
      ]}
      sort={['oldestUnsentAt']}
      columns={columns}
      rowName={({ user }) => nameOf(user)}
      empty={t('devices.none')}
      noMatch={t('devices.noneFound')}
    />
  );
}
