/** The part of jStat that is used here; the package brings no types. */
declare module 'jstat' {
  const jstat: { normal: { inv(p: number, mean: number, deviation: number): number } };
  export default jstat;
}
