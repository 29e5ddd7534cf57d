/** Types for the part of jStat that we use, since the package has none. */
declare module 'jstat' {
  const jstat: {
    normal: { inv(p: number, mean: number, deviation: number): number };
    chisquare: { cdf(x: number, degrees: number): number };
    studentt: { inv(p: number, degrees: number): number };
  };
  export default jstat;
}
