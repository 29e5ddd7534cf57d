/** What a benchmark prints: the machine, a table, and whether each target was met. */
import os from 'node:os';
import type { LoadTiming } from './load.ts';

export interface RouteMeasurement extends Omit<LoadTiming, 'count'> {
  /** Microseconds of processor time that a request took of its own process. */
  cpu: number;
  /** Of the database's. */
  databaseCpu: number;
}

export interface Row {
  route: string;
  surveys: number;
  service: RouteMeasurement;
  /** Measured in turns with the service. */
  floor: RouteMeasurement;
  /** Of each round: the processor time of the floor and the database as a share of the service's and the database's. */
  cpuShares: number[];
  /** Another version of the service. */
  baseline?: RouteMeasurement;
}

interface Results {
  rows: Row[];
  /** Routes that answered otherwise than they should. */
  failures: string[];
  memory: { surveys: number; megabytes: number; baseline?: number }[];
  mongod: string;
  seconds: number;
  rounds: number;
}

/** Of the requests a second that the route's own floor answers. */
const MIN_RATIO: Record<string, number> = {
  'GET /api/surveys/:id': 1.2,
  'GET /api/surveys, manager': 1,
  'GET /api/surveys, super-admin': 1,
  'GET /api/surveys?fields=full, manager': 1.15,
  'GET /api/surveys?fields=full, super-admin': 1.15,
  'GET /api/locations': 0.92,
  'GET /api/validate-referral-code/:code': 1,
  'POST /api/surveys': 0.75,
  'POST /api/surveys, with incentives': 0.9,
};
const MAX_GROWTH = 1.25;
const MAX_MEGABYTES = 240;

const ratio = (row: Row) => row.service.perSecond / row.floor.perSecond;
const cpuRatio = (row: Row) => row.floor.cpu / row.service.cpu;
/** The median, and between what the rounds lie. */
function spread(shares: number[]): string {
  const sorted = [...shares].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3);
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
}
const count = (n: number) => Math.round(n).toLocaleString('en');

export function report({ rows, failures, memory, mongod, seconds, rounds }: Results): string {
  const gigabytes = (os.totalmem() / 1024 ** 3).toFixed(1);
  const cpu = `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores`;
  const load = os.loadavg().map((one) => one.toFixed(1));
  const lines = [
    `${cpu}, ${gigabytes} GB; Node ${process.versions.node}; mongod ${mongod}; load average at the end ${load.join(' ')}`,
    `16 connections; medians of ${rounds} runs of ${seconds} s, in turns with the floor`,
    '',
    ...table(
      [
        'route',
        'surveys',
        'requests/s',
        'floor',
        'ratio',
        'median ms',
        'p99 ms',
        'CPU µs',
        'floor',
        'ratio',
        'mongod µs',
        'floor',
      ],
      rows.map((row) => [
        row.route,
        count(row.surveys),
        count(row.service.perSecond),
        count(row.floor.perSecond),
        ratio(row).toFixed(2),
        row.service.median.toFixed(2),
        row.service.p99.toFixed(2),
        count(row.service.cpu),
        count(row.floor.cpu),
        cpuRatio(row).toFixed(2),
        count(row.service.databaseCpu),
        count(row.floor.databaseCpu),
      ]),
    ),
    '',
    ...rows.map(
      ({ route, cpuShares }) =>
        `processor time of both processes, floor / service: ${spread(cpuShares)}, ${route}`,
    ),
    '',
    ...besideTable(rows),
    ...memory.map(
      ({ surveys, megabytes, baseline }) =>
        `memory with ${count(surveys)} surveys: ${megabytes.toFixed(0)} MB${baseline ? ` (beside: ${baseline.toFixed(0)})` : ''}`,
    ),
    '',
    ...failures.map((text) => `MISSED ${text}`),
    ...verdicts(rows, memory),
  ];
  return `${lines.join('\n')}\n`;
}

/** The other version, then this one. */
function besideTable(rows: Row[]): string[] {
  const pairs = rows.flatMap(({ baseline, ...row }) => (baseline ? [{ ...row, beside: baseline }] : []));
  if (pairs.length === 0) return [];
  const head = ['route', 'surveys', 'ratio beside', 'now', 'by CPU beside', 'now', 'CPU µs beside', 'now'];
  const body = pairs.map(({ route, surveys, service, floor, beside: baseline }) => [
    route,
    count(surveys),
    (baseline.perSecond / floor.perSecond).toFixed(2),
    (service.perSecond / floor.perSecond).toFixed(2),
    (floor.cpu / baseline.cpu).toFixed(2),
    (floor.cpu / service.cpu).toFixed(2),
    count(baseline.cpu),
    count(service.cpu),
    count(baseline.databaseCpu),
    count(service.databaseCpu),
  ]);
  return [...table([...head, 'mongod µs beside', 'now'], body), ''];
}

function table(head: string[], body: string[][]): string[] {
  const widths = head.map((text, i) => Math.max(text.length, ...body.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)];
}

function verdicts(rows: Row[], memory: Results['memory']): string[] {
  const say = (isMet: boolean, text: string) => `${isMet ? 'met   ' : 'MISSED'} ${text}`;
  const smallest = Math.min(...rows.map((row) => row.surveys));
  const largest = Math.max(...rows.map((row) => row.surveys));
  const ratios = rows.flatMap((row) => {
    const min = MIN_RATIO[row.route];
    if (min === undefined || row.surveys !== smallest) return [];
    return say(
      ratio(row) >= min,
      `${row.route}: ${ratio(row).toFixed(2)} of its floor (at least ${min}); by processor time ${cpuRatio(row).toFixed(2)}`,
    );
  });
  const growth = rows.flatMap((row) => {
    const before = rows.find((one) => one.route === row.route && one.surveys === smallest);
    if (!before || row.surveys !== largest || largest === smallest) return [];
    const factor = row.service.median / before.service.median;
    const what = `median at ${count(largest)} is ${factor.toFixed(2)} times that at ${count(smallest)}`;
    return say(factor <= MAX_GROWTH, `${row.route}: ${what} (at most ${MAX_GROWTH})`);
  });
  const max = Math.max(...memory.map((one) => one.megabytes));
  return [
    ...ratios,
    ...growth,
    say(max < MAX_MEGABYTES, `memory: ${max.toFixed(0)} MB (under ${MAX_MEGABYTES})`),
  ];
}
