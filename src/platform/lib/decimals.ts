/** The number of decimals in an amount: 2 for "20.00". Browser-safe. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;
