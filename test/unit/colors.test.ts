/**
 * Colors with a meaning can be told apart, with normal vision and with color blindness.
 *
 * The three kinds of color blindness, complete: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009),
 * severity 1.0. Distances are those of Oklab (B. Ottosson, 2020), where 0.02 is about what can just be seen. Contrast is that of WCAG 2.
 */
import { colorTree } from '../../client/src/dashboard/board/tree/tree-color.ts';
import { PALETTES } from '../../client/src/dashboard/kit/charts/palette.ts';
import { cssVariables, theme } from '../../client/src/ui/theme.ts';

type Three = [number, number, number];
type Matrix = [Three, Three, Three];

const SIGHTS: Record<string, Matrix> = {
  'normal sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  deuteranopia: [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
  tritanopia: [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.3039],
  ],
};

const times = (matrix: Matrix, [a, b, c]: Three): Three =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as Three;

/** The linear light of the three parts of a color `#rrggbb`. */
const lightOf = (color: string): Three =>
  [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Three;

const TO_CONES: Matrix = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
];
const TO_OKLAB: Matrix = [
  [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
  [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
  [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
];

function perceived(color: string, sight: Matrix): Three {
  const light = times(sight, lightOf(color)).map((part) => Math.min(1, Math.max(0, part))) as Three;
  return times(TO_OKLAB, times(TO_CONES, light).map(Math.cbrt) as Three);
}

const distance = (a: string, b: string, sight: Matrix): number => {
  const [first, second] = [perceived(a, sight), perceived(b, sight)];
  return Math.hypot(...first.map((part, at) => part - (second[at] ?? 0)));
};

const luminance = (color: string): number => {
  const [r, g, b] = lightOf(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const everyTwo = (colors: readonly string[]): [string, string][] =>
  colors.flatMap((one, at) => colors.slice(at + 1).map((other): [string, string] => [one, other]));
const neighbours = (colors: readonly string[]): [string, string][] =>
  colors.slice(1).map((one, at) => [colors[at] ?? '', one]);

/** Pairs that are closer than that. */
const tooClose = (pairs: [string, string][], sight: Matrix, min: number) =>
  pairs.map(([a, b]) => ({ a, b, apart: distance(a, b, sight) })).filter(({ apart }) => apart < min);

const SCHEMES = ['light', 'dark'] as const;
const inks = (scheme: (typeof SCHEMES)[number]) =>
  cssVariables(theme as never)[scheme] as Record<string, string>;
const ink = (scheme: (typeof SCHEMES)[number], name: string) => inks(scheme)[name] ?? '';

describe.each(SCHEMES)('on the %s page', (scheme) => {
  const { waves, kinds, other } = PALETTES[scheme];

  describe.each(Object.entries(SIGHTS))('with %s', (name, sight) => {
    test('each wave can be distinguished from the previous one', () => {
      expect(tooClose(neighbours(waves), sight, 0.05)).toEqual([]);
    });

    test('all site and answer colors can be distinguished from each other and from “other”', () => {
      const min = name === 'normal sight' ? 0.13 : 0.09;
      expect(tooClose(everyTwo([...kinds, other]), sight, min)).toEqual([]);
    });

    test('the marker color of charts can be distinguished from warning and error colors', () => {
      const warnings = ['--warn-ink', '--bad-ink', '--mantine-color-error'].map((one) => ink(scheme, one));
      const pairs = warnings.map((one): [string, string] => [ink(scheme, '--mark'), one]);
      expect(tooClose(pairs, sight, 0.09)).toEqual([]);
    });
  });

  test('each color has enough contrast with its background', () => {
    const faint = [...waves, ...kinds, other].filter((one) => contrast(one, ink(scheme, '--card')) < 3);
    expect(faint).toEqual([]);
    // Text must be readable, not only visible.
    expect(contrast(ink(scheme, '--mark'), ink(scheme, '--card'))).toBeGreaterThan(4.5);
  });

  test('site and answer colors can be distinguished from warning and error colors', () => {
    const warnings = ['--warn-ink', '--bad-ink', '--mantine-color-error'].map((one) => ink(scheme, one));
    const pairs = kinds.flatMap((kind) => warnings.map((one): [string, string] => [kind, one]));
    expect(tooClose(pairs, SIGHTS['normal sight'] as Matrix, 0.08)).toEqual([]);
  });
});

const words = {
  other: 'Others',
  unknown: 'None',
  wave: (first: number, last: number) => (first === last ? `${first}` : `${first}–${last}`),
};
const nodes = (values: string[], wave: (at: number) => number = () => 0) =>
  values.map((location, at) => ({ id: `${at}`, location, wave: wave(at) })) as Parameters<
    typeof colorTree
  >[0];

test('twenty sites have distinct marks by color and shape', () => {
  const sites = nodes(Array.from({ length: 20 }, (_, at) => `site ${at}`));
  const siteOf = ({ location }: (typeof sites)[number]) => location;
  const kind = { keyOf: siteOf, labelOf: siteOf };
  const { legend, markOf } = colorTree(sites, { kind, palette: PALETTES.light, words });
  expect(legend).toHaveLength(20);
  const marks = sites.map((node) => Object.values(markOf(node)).join(' '));
  expect(new Set(marks).size).toBe(20);
});

test.each([1, 2, 8, 9, 17, 40])('a chain of %i waves is grouped into at most eight colors', (many) => {
  const chain = nodes(
    Array.from({ length: many }, () => 'here'),
    (at) => at,
  );
  const { legend, markOf } = colorTree(chain, { kind: null, palette: PALETTES.light, words });
  const colors = legend.map(({ mark }) => mark.color);
  expect(new Set(colors).size).toBe(legend.length);
  expect(colors.length).toBe(Math.min(many, Math.ceil(many / Math.ceil(many / 8))));
  expect(colors).toEqual(PALETTES.light.waves.filter((one) => colors.includes(one)));
  expect(markOf(chain.at(-1) as (typeof chain)[number])).toEqual(legend.at(-1)?.mark);
  expect(legend.reduce((sum, { count }) => sum + count, 0)).toBe(many);
});

test('wave labels are computed once per legend entry for thousands of interviews', () => {
  const chain = nodes(
    Array.from({ length: 3_000 }, () => 'here'),
    (at) => at % 12,
  );
  let labelCount = 0;
  const counting = { ...words, wave: (first: number) => `${++labelCount} ${first}` };
  const { legend, keyOf, markOf } = colorTree(chain, {
    kind: null,
    palette: PALETTES.light,
    words: counting,
  });
  for (const node of chain) markOf(node);
  expect(new Set(chain.map(keyOf)).size).toBe(legend.length);
  expect(labelCount).toBe(legend.length);
});
