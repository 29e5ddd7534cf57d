/** A round number above the highest value, whose quarters are round too. */
export function roundTop(most: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const found = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10]
    .map((factor) => factor * step)
    .find((top) => top >= most);
  return Math.ceil((found ?? most) / 4) * 4;
}
