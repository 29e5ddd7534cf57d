/** Describes the figures of a finding. */
import { useTranslation } from 'react-i18next';
import { CHECK_THRESHOLDS } from '../../../../src/board/quality/rules.ts';
import { decimalsOf } from '../../../../src/platform/lib/decimals.ts';
import { useStudy } from '../../session/records.ts';
import { moneyText } from '../../texts/money.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import type { Finding } from './fetch-findings.ts';

/** One finding, or a check in general. */
type FindingOrCheck = Pick<Finding, 'check'> & Partial<Pick<Finding, 'survey'>>;
type Figure = number | string;

const NO_VALUE = '–';

export function useFindingTexts() {
  const { number, percent, shortMoment, language } = useDashboardText();
  const { t } = useTranslation('quality');
  const { currency, interview, recruit } = useStudy()?.incentives ?? {};
  const decimals = decimalsOf(interview ?? recruit ?? '');
  const money = (value: number) =>
    currency ? moneyText(value.toFixed(decimals), currency, language) : number(value);
  const write = ({ check, survey }: Finding, value: Figure): string => {
    if (check === 'POSSIBLE_REPEAT') return t(`strength.${value as 'EXACT'}`);
    if (typeof value === 'string') return shortMoment(value);
    switch (check) {
      case 'TOO_FAST':
      case 'TOO_LONG':
        return t('minutes', { value: number(value) });
      case 'MANY_SKIPPED':
      case 'MANY_DECLINED':
        return percent(value);
      case 'SIZE_ODD':
        return survey ? number(value) : percent(value);
      case 'FAR_FROM_SITE':
        return t('meters', { value: number(value) });
      case 'OLD_AMOUNT':
        return money(value);
      default:
        return number(value);
    }
  };
  const wordOfLimit = ({ check, survey }: Finding) => {
    if (check === 'TOO_FAST') return 'atLeast';
    if (check === 'MANY_DECLINED') return 'others';
    if (check === 'CLOCK_ODD') return 'received';
    if (check === 'OLD_AMOUNT') return 'byArrival';
    return check === 'SIZE_ODD' && survey ? 'between' : 'atMost';
  };
  const kindOf = ({ check, survey }: FindingOrCheck) =>
    check === 'SIZE_ODD' && survey === null ? 'ROUND_SIZES' : check;
  return {
    ruleOf: (finding: FindingOrCheck): string => {
      const numbers = Object.entries(CHECK_THRESHOLDS[finding.check]).flatMap(([key, value]) =>
        typeof value === 'number' ? [[key, number(value)]] : [],
      );
      const { share, percentile } = CHECK_THRESHOLDS.SIZE_ODD;
      const percentages = { percent: percent(share), percentile: percent(percentile) };
      return t(`rule.${kindOf(finding)}`, { ...Object.fromEntries(numbers), ...percentages });
    },
    toDoOf: (finding: FindingOrCheck): string => t(`todo.${kindOf(finding)}`),
    figureOf: (finding: Finding): string =>
      finding.value === null ? NO_VALUE : write(finding, finding.value),
    limitOf: (finding: Finding): string => {
      const { check, expected } = finding;
      if (expected !== null) return t(wordOfLimit(finding), { value: write(finding, expected) });
      return check === 'SIZE_ODD' ? t('aboveZero') : NO_VALUE;
    },
  };
}
