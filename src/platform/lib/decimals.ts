/** How many decimals an amount is written with: 2 for "20.00". Browser-safe. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;
