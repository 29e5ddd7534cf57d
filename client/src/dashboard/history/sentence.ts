/** A sentence about what happened and who did it. Automatic changes are marked as such. */

import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import type { AuditedSubject } from '../../../../src/platform/rights/names.ts';
import { useUser } from '../../session/session.tsx';
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { eventKindOf } from './event-kind.ts';
import { useRecordName } from './record-name.ts';

export function useEventSentence(): (event: AuditEvent) => string {
  const { t } = useDashboardText();
  const nameOf = useRecordName();
  return (event) => {
    const kind = eventKindOf(event);
    if (kind === null) return t('audit.unknown');
    const { subject, record, names, changes } = event;
    const file = changes.find(({ path }) => path === 'file')?.after;
    const name = subject === 'Export' ? String(file ?? '') : nameOf(names, record);
    const [subjectKind, verb] = kind.split('.') as ['User', 'created'];
    return t(`audit.told.${subjectKind}.${verb}`, {
      which: name ? `“${name}”` : t(`audit.subject.${subject as AuditedSubject}`),
    });
  };
}

type AuthoredEvent = Pick<AuditEvent, 'by' | 'names'>;

/** For lists that only contain what people did. */
export function useDoerName(): (doing: AuthoredEvent) => string {
  const { t } = useDashboardText();
  const self = useUser();
  const nameOf = useRecordName();
  return ({ by, names }) => {
    if (by === null) return t('audit.operator');
    if (by === self.id) return fullName(self);
    return nameOf(names, by) || t('audit.someone');
  };
}

export function useAuthorName(): (event: AuditEvent) => string {
  const { t } = useDashboardText();
  const personBehind = useDoerName();
  return (event) => {
    const kind = eventKindOf(event);
    // Before signing in, the person is unknown.
    if (kind === 'User.signInFailed' || kind === 'User.lockedOut') return t('audit.someone');
    const person = personBehind(event);
    return kind === 'Survey.followed' ? t('audit.itself', { who: person }) : person;
  };
}
