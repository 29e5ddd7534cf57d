/** Date ranges for one-click selection, in the filters' format. Pure. */

export const PERIODS = ['today', 'yesterday', 'thisMonth', 'lastMonth'] as const;
export type PeriodName = (typeof PERIODS)[number];

interface Days {
  from: string;
  to: string;
}

/** "This month" ends today, since nothing is paid in the future. */
export function daysOf(period: PeriodName, today: string): Days {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number);
  const day = (months: number, of: number) =>
    new Date(Date.UTC(year, month - 1 + months, of)).toISOString().slice(0, 10);
  const yesterday = day(0, date - 1);
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    thisMonth: { from: day(0, 1), to: today },
    lastMonth: { from: day(-1, 1), to: day(0, 0) },
  }[period];
}

export const periodNameOf = ({ from, to }: Days, today: string): PeriodName | null =>
  PERIODS.find((period) => {
    const days = daysOf(period, today);
    return days.from === from && days.to === to;
  }) ?? null;
