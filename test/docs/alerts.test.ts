/** deploy/alerts.yml and deploy/grafana.json use only metrics and labels that exist. */
import { parse } from 'yaml';
import { metricsRegistry } from '../../src/platform/lib/metrics.ts';
import { worldOfFile } from '../people.ts';
import { read } from './pages.ts';

/** Name → labels; a histogram has three series. */
let labelsByMetric: Map<string, string[]>;
worldOfFile({ config: { metricsToken: 'a token for tests alone' } });
beforeAll(async () => {
  labelsByMetric = new Map([['up', []]]);
  for (const { name, type } of await metricsRegistry.getMetricsAsJSON()) {
    const { labelNames = [] } = metricsRegistry.getSingleMetric(name) as unknown as { labelNames?: string[] };
    const isHistogram = String(type) === 'histogram';
    for (const suffix of isHistogram ? ['_bucket', '_sum', '_count'] : [''])
      labelsByMetric.set(name + suffix, isHistogram ? [...labelNames, 'le'] : [...labelNames]);
  }
});

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
interface Panel {
  id: number;
  title: string;
  targets?: { expr: string }[];
}

const rules = () =>
  (parse(read('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
const panels = () => (JSON.parse(read('deploy/grafana.json')) as { panels: Panel[] }).panels;

/** Labels that Prometheus adds to each sample. */
const TARGET_LABELS = ['job', 'instance'];
const WORDS = new Set(['by', 'on', 'and', 'or', 'unless', 'without', 'ignoring']);

/** The metrics of an expression, each with the labels in its braces. */
function faultsOf(expr: string): string[] {
  const text = expr.replace(/\b(by|on|without|ignoring)\s*\(([^)]*)\)/g, '');
  const grouped = [...expr.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, names = '']) => names.split(',').map((name) => name.trim()),
  );
  const anyLabel = new Set([...TARGET_LABELS, '', ...[...labelsByMetric.values()].flat()]);
  const faults = grouped
    .filter((name) => !anyLabel.has(name))
    .map((name) => `no metric has the label ${name}`);
  let metrics = 0;
  const plain = text.replace(/\[[^\]]*\]/g, '');
  for (const [, name = '', braces = '', call] of plain.matchAll(
    /([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?\s*(\()?/g,
  )) {
    if (call || WORDS.has(name)) continue;
    metrics += 1;
    const labels = labelsByMetric.get(name);
    if (!labels) faults.push(`there is no metric ${name}`);
    for (const [, label = ''] of braces.matchAll(/(\w+)\s*[=!]~?\s*"/g))
      if (labels && ![...labels, ...TARGET_LABELS].includes(label))
        faults.push(`${name} has no label ${label}`);
  }
  if (metrics === 0) faults.push('there is no metric in it');
  return faults;
}

test('each alert uses existing metrics and says what to do', () => {
  expect(rules().length).toBeGreaterThan(10);
  for (const { alert, expr, labels, annotations } of rules()) {
    expect({ alert, faults: faultsOf(expr) }).toEqual({ alert, faults: [] });
    expect(['page', 'warn']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.action).toMatch(/\S/);
  }
});

test('each dashboard panel uses existing metrics', () => {
  const panelList = panels();
  expect(new Set(panelList.map(({ id }) => id)).size).toBe(panelList.length);
  for (const { title, targets = [] } of panelList)
    for (const { expr } of targets) expect({ title, faults: faultsOf(expr) }).toEqual({ title, faults: [] });
});

test('an unknown metric or label is detected', () => {
  expect(faultsOf('sum(rate(http_requests{status="500"}[5m]))')).toEqual([
    'there is no metric http_requests',
  ]);
  expect(faultsOf('sum by (user) (http_requests_total{code="500"})')).toEqual([
    'no metric has the label user',
    'http_requests_total has no label code',
  ]);
});

test('every metric of the service is in the dashboard or an alert, except those of the client library', () => {
  const used = [
    ...rules().map(({ expr }) => expr),
    ...panels().flatMap((one) => (one.targets ?? []).map((t) => t.expr)),
  ];
  const own = [...labelsByMetric.keys()].filter((name) => !/^(process|nodejs)_|_sum$|_count$/.test(name));
  expect(own.filter((name) => !used.some((expr) => expr.includes(name)))).toEqual([]);
});
