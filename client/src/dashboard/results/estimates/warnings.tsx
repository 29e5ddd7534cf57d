/** Warnings about the figures, with reasons and advice. */
import { useState } from 'react';
import { Notice } from '../../../ui/notice.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import type { EstimateWarning } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

/** How to format each warning's number. */
const WRITTEN = {
  STILL_MOVING: 'share',
  ONE_CHAIN_DOMINATES: 'share',
  SEEDS_DIFFER: 'ratio',
  FEW_WAVES: 'count',
  SAME_TO_SAME: 'ratio',
  ABSORBING: 'count',
  GROUPS_RECRUIT_DIFFERENTLY: 'share',
  NOT_PRECISE: 'share',
  MANY_SIZES_MISSING: 'share',
  SIZES_HEAPED: 'share',
  ONE_WEIGHS_MUCH: 'share',
  SIZE_BELOW_RECRUITS: 'count',
  SAMPLE_IS_LARGE_SHARE: 'share',
  POPULATION_MATTERS: 'share',
  STRANGERS: 'share',
  FEW_KNOWN: 'share',
} as const;
type Code = keyof typeof WRITTEN;
const isKnown = (code: string): code is Code => Object.hasOwn(WRITTEN, code);

/** Only a few at first, to keep the figures below in view. */
const WARNINGS_SHOWN = 4;

export function EstimateWarnings({ warnings }: { warnings: EstimateWarning[] }) {
  const { t } = useResultsPageText();
  const [all, setAll] = useState(false);
  if (warnings.length === 0)
    return (
      <Notice tone="good" title={t('warnings.none')}>
        {t('warnings.noneWhat')}
      </Notice>
    );
  const visibleWarnings = all ? warnings : warnings.slice(0, WARNINGS_SHOWN);
  return (
    <section aria-label={t('warnings.label')}>
      <h2 style={{ marginBottom: 10 }}>{t('warnings.title', { number: warnings.length })}</h2>
      <ul className="results-warnings">
        {visibleWarnings.map((warning) => (
          <li key={`${warning.code} ${warning.message}`} data-warning={warning.code}>
            <WarningItem warning={warning} />
          </li>
        ))}
      </ul>
      {warnings.length > WARNINGS_SHOWN ? (
        <PlainButton
          label={all ? t('warnings.fewer') : t('warnings.all', { number: warnings.length })}
          size="md"
          mt="sm"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        />
      ) : null}
    </section>
  );
}

function WarningItem({ warning: { code, message, value } }: { warning: EstimateWarning }) {
  const { t } = useResultsPageText();
  const [share, other] = [useFigureFormatters('CATEGORY'), useFigureFormatters('NUMBER')];
  // A newer service may send warnings this page doesn't know; its own text is shown.
  if (!isKnown(code)) return <Notice tone="warn" title={message} />;
  const write = { share: share.short, count: other.count, ratio: other.ratio }[WRITTEN[code]];
  const words = { value: write(value) };
  const hasNoInterval = code === 'NOT_PRECISE' && value === 0;
  return (
    <Notice tone="warn" title={t(`warnings.${code}.title`, words)}>
      <div>{why()}</div>
      <div className="results-do">
        {hasNoInterval ? t('warnings.noIntervalDo') : t(`warnings.${code}.do`, words)}
      </div>
    </Notice>
  );
  function why() {
    if (hasNoInterval) return t('warnings.noInterval');
    return code === 'SAME_TO_SAME' && value === 0
      ? t('warnings.never')
      : t(`warnings.${code as Code}.why`, words);
  }
}
