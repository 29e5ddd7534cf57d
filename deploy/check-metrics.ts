/**
 * `npm run topology -- --metrics`: a real Prometheus scrapes both processes with deploy/alerts.yml, answers every query of
 * deploy/grafana.json, and fires an alert when a process ends. Needs `prometheus` and `promtool` on PATH.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../test/free-port.ts';
import { end, folder, say, send, start, type Topology, until } from './topology.ts';

const ALERT = 'ServiceDown';
const RULES = 'deploy/alerts.yml';

interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}
interface Panel {
  title: string;
  targets?: { expr: string }[];
}

export async function checkMetrics({ url, settings, ports, command, startApp }: Topology): Promise<void> {
  say(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' }).trim().split('\n').join(' '));
  const api = await startPrometheus(ports, String(settings.METRICS_TOKEN));
  command('backup', '--out', join(folder, 'metrics.archive'));

  const ask = async (path: string) => {
    const reply = await fetch(`${api}/${path}`);
    const { status, error, data } = (await reply.json()) as { status: string; error?: string; data: never };
    if (status !== 'success') throw new Error(`${decodeURIComponent(path)}: ${error}`);
    return data;
  };
  const query = async (expr: string): Promise<Sample[]> =>
    ((await ask(`query?query=${encodeURIComponent(expr)}`)) as { result: Sample[] }).result;
  const numberOf = async (expr: string) => Number((await query(expr))[0]?.value[1] ?? 0);

  await until('Prometheus has scraped both processes', async () => (await numberOf('sum(up)')) === 2);
  await until(
    'and the last backup',
    async () => (await numberOf('max(backup_last_success_timestamp_seconds)')) > 0,
  );
  // Rates need two scrapes that differ.
  for (let second = 0; second < 5; second++) {
    await send(url, 'GET', '/api/surveys'); // Refused, which is counted.
    await sleep(1_000);
  }
  say(`up{job="field-survey"}: 2 of 2, ${await numberOf('count({job="field-survey"})')} series`);

  const { groups } = (await ask('rules')) as {
    groups: { rules: { name: string; health: string; lastError?: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const ill = rules.filter(({ health }) => health !== 'ok');
  if (rules.length === 0 || ill.length > 0) throw new Error(`Rules with errors: ${JSON.stringify(ill)}`);
  say(`${rules.length} alerts are evaluated without an error`);

  const metricNames = new Set(['up', ...Object.keys((await ask('metadata')) as object)]);
  const panels = (JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as { panels: Panel[] }).panels;
  const exprs = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  const empty: string[] = [];
  for (const { title, expr } of exprs) {
    const unknown = metricsIn(expr).filter(
      (name) => !metricNames.has(name) && !metricNames.has(name.replace(/_bucket$/, '')),
    );
    if (unknown.length > 0)
      throw new Error(`The panel “${title}” names metrics that do not exist: ${unknown}`);
    if ((await query(expr)).length === 0) empty.push(title);
  }
  say(
    `${exprs.length} queries of the dashboard: no error, ${empty.length} without data yet${empty.length > 0 ? ` (${empty.join(', ')})` : ''}`,
  );

  const stateOf = async () => {
    const { alerts } = (await ask('alerts')) as {
      alerts: { labels: Record<string, string>; state: string }[];
    };
    return alerts.find(({ labels }) => labels.alertname === ALERT)?.state ?? 'inactive';
  };
  if ((await stateOf()) !== 'inactive') throw new Error(`${ALERT} is on while all processes run`);
  await end('app2');
  await until(`A process has ended, and ${ALERT} fires`, async () => (await stateOf()) === 'firing');
  startApp(1);
  await until('It is back, and the alert is over', async () => (await stateOf()) === 'inactive');
}

/** Its API's address. The rules are a copy in which one alert does not wait two minutes. */
async function startPrometheus(apps: number[], token: string): Promise<string> {
  const text = readFileSync(RULES, 'utf8');
  const hasty = text.replace(new RegExp(`(alert: ${ALERT}\\n.*\\n +for: )2m`), '$12s');
  if (hasty === text) throw new Error(`${ALERT} is not as expected in ${RULES}`);
  const rules = join(folder, 'alerts.yml');
  writeFileSync(rules, hasty);
  const config = join(folder, 'prometheus.yml');
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: 'field-survey',
          authorization: { credentials: token },
          static_configs: [{ targets: apps.map((port) => `127.0.0.1:${port}`) }],
        },
      ],
    }),
  );
  const address = `127.0.0.1:${await findFreePort()}`;
  start('prometheus', 'prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=${address}`,
  ]);
  await until('Prometheus is ready', async () => (await fetch(`http://${address}/-/ready`)).ok);
  return `http://${address}/api/v1`;
}

/** Without strings, labels, durations and groups, each name that is not called is a metric. */
function metricsIn(expr: string): string[] {
  const plain = expr
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, '');
  const names = [...plain.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !['and', 'or', 'unless'].includes(name));
}
