/** What limits comparing two rounds; nothing if they don't differ. */
import { Notice } from '../../../ui/notice.tsx';
import type { OutcomeComparison } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

interface ComparabilityProps extends Pick<OutcomeComparison, 'comparability'> {
  /** True if the standardized change shows that different sites were reached. */
  hasOtherSites?: boolean;
}

export function Comparability({ comparability, hasOtherSites = false }: ComparabilityProps) {
  const { t } = useResultsPageText();
  const words = t('change.comparability', { returnObjects: true }) as Record<string, string>;
  if (comparability.length === 0 && !hasOtherSites) return null;
  return (
    <Notice tone="warn" title={t('change.hard')}>
      <ul>
        {comparability.map(({ code, message }) => (
          <li key={code}>{words[code] ?? message}</li>
        ))}
        {hasOtherSites ? <li>{t('change.otherSites')}</li> : null}
      </ul>
    </Notice>
  );
}
