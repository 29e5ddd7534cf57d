/** Text messages to respondents: the status of each, without its content or number. */
import type { z } from 'zod';
import { MessageKind, MessageState } from '../../../../src/interviews/messages/schema.ts';
import type { Message as MessageSchema, MessageSummary } from '../../../../src/interviews/texting/schema.ts';
import { useReadsAll } from '../../session/session.tsx';
import { Tag, type Tone } from '../../ui/notice.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useGet } from '../kit/data/use-list.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { usePaymentsText } from './payments-text.ts';

type Message = z.infer<typeof MessageSchema>;

const TONES: Record<MessageState, Tone> = {
  QUEUED: 'info',
  SENDING: 'info',
  SENT: 'good',
  DELIVERED: 'good',
  FAILED: 'warn',
  STOPPED: 'info',
  UNKNOWN: 'warn',
};

export default function MessagesPage() {
  const { t, shared, shortMoment } = usePaymentsText();
  const all = useReadsAll('Message');
  const { data } = useGet<z.infer<typeof MessageSummary>>('/api/messages/summary', { enabled: all });
  const kindOf = (kind: MessageKind) => t(`texts.kind.${kind}`);
  const stateOf = (state: MessageState) => t(`texts.state.${state}`);
  const columns: ListColumn<Message>[] = [
    {
      name: 'kind',
      head: t('texts.about'),
      cell: ({ kind }) => kindOf(kind),
      text: ({ kind }) => kindOf(kind),
    },
    {
      field: 'state',
      cell: ({ state }) => <Tag tone={TONES[state]}>{stateOf(state)}</Tag>,
      text: ({ state }) => stateOf(state),
    },
    { field: 'error', name: 'error', cell: ({ error }) => (error ? <bdi>{error}</bdi> : '') },
    { field: 'createdAt', as: 'age', sort: 'createdAt' },
    {
      field: 'sentAt',
      as: 'moment',
      name: 'sentAt',
      cell: ({ sentAt }) => (sentAt ? shortMoment(sentAt) : ''),
    },
    {
      ...{ field: 'deliveredAt', as: 'moment', name: 'deliveredAt' },
      cell: ({ deliveredAt }) => (deliveredAt ? shortMoment(deliveredAt) : ''),
    },
  ];
  return (
    <ListPage<Message>
      name="messages"
      path="/api/messages"
      subject="Message"
      title={t('texts.title')}
      lead={
        data
          ? t('texts.lead', {
              today: data.today,
              active: data.contacts.active,
              stopped: data.contacts.stopped,
            })
          : t('texts.what')
      }
      filters={[
        { name: 'state', options: MessageState.options.map((value) => ({ value, label: stateOf(value) })) },
        { name: 'kind', options: MessageKind.options.map((value) => ({ value, label: kindOf(value) })) },
        { name: 'from', as: 'day', label: shared('common.from') },
        { name: 'to', as: 'day', label: shared('common.to') },
      ]}
      sort={['-createdAt', 'createdAt']}
      columns={columns}
      rowName={({ kind }) => kindOf(kind)}
      rowActions={({ id, state, kind }) => [
        (state === 'FAILED' || (state === 'UNKNOWN' && kind !== 'CARD')) && {
          label: t('texts.retry'),
          right: 'update',
          title: t('texts.retry'),
          text: t('texts.retryWhat'),
          send: () => sendChange('POST', `/api/messages/${id}/retry`),
          message: t('texts.retried'),
        },
      ]}
      empty={t('texts.none')}
      noMatch={t('texts.noneMatch')}
    />
  );
}
