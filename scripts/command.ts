/**
 * What the commands share. A command returns `{ text, json }`, one of which is printed. Exit codes: 0 done, 1 refused
 * or failed, 2 wrong arguments (one line says which), 130 interrupted. Results go to standard output, progress and
 * warnings to standard error.
 */
import 'dotenv/config';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import type { ProblemName } from '../src/http/problem.ts';
import type { onDatabase } from './database.ts';
import { allowMoreTime, exitOnSignals, interruptOnSignals, signal } from './interruption.ts';

export interface CommandResult {
  text: string;
  json: unknown;
}

export interface CommandContext {
  config: Config;
  now: Date;
  signal: AbortSignal;
  dryRun: boolean;
  say(text: string): void;
  /** Prints what was made for standard output at once, for an action that has to know that it arrived; else it is done at the end. */
  deliver(): Promise<void>;
}

type Options = Record<string, unknown> & { json?: boolean; dryRun?: boolean; out?: string };
/** What is calculated for long is answered as a function, called once the database is closed. */
export type CommandAction<O, A extends string[] = string[]> = (
  options: O,
  around: CommandContext,
  ...args: A
) => Promise<CommandResult | (() => CommandResult)>;

/** A refusal with something to say in JSON too. */
export class Refused extends Error {
  readonly json: unknown;

  constructor(message: string, json: unknown) {
    super(message);
    this.json = json;
  }
}

class WrongArgument extends Error {}
class OutputClosed extends Error {}
export const wrongArgument = (message: string): Error => new WrongArgument(message);

// Without a listener an error here would end the process with its database open; `print` rejects with it.
process.stdout.on('error', () => {});
// Nor may words that nobody reads, as with `2>&1 | head -1`.
process.stderr.on('error', () => {});

/** Rejects where nobody reads any more, as behind `| head -1`. */
export async function print(text: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) return resolve();
      reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new OutputClosed() : error);
    });
  });
}

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** A program, or with `on` one of its verbs. Each prints its answer, and takes `--json`. */
export function define(name: string, description: string, on?: Command): Command {
  const made = on ? on.command(name) : new Command(name);
  return made
    .description(description)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {} })
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false);
}

export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  npm run ${line}`).join('\n')}`);
}

export const withJson = (command: Command) => command.option('--json', 'print JSON, for scripts');
export const withDryRun = (command: Command) =>
  command.option('-n, --dry-run', 'change nothing; only print what would happen');

/**
 * The command's action, with the settings read and the database open. `raw` opens none, so that a signal ends it at once;
 * one with `ownEnd` has something to stop, and takes its time.
 */
export function setAction<O, A extends string[] = string[]>(
  command: Command,
  act: CommandAction<O, A>,
  { raw = false, prepare = true, ownEnd = false } = {},
): void {
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Options;
    const args = given.slice(0, -2) as A;
    if (ownEnd) allowMoreTime();
    else if (raw) exitOnSignals();
    const config = readConfig(process.env);
    const dryRun = options.dryRun === true;
    const aside = options.out === '-' ? asideIn(config.dataDir) : null;
    if (aside && options.json) throw wrongArgument("--json can't be combined with --out -.");
    if (aside) options.out = aside;
    const deliver = async () => {
      if (aside && existsSync(aside)) await printFile(aside);
    };
    const around = { config, now: new Date(), signal, dryRun, say, deliver };
    const log = { info: say, warn: say };
    const action = () => act(options as O, around, ...args);
    const made = raw ? await action() : await inDatabase(action, { ...around, log, prepare });
    if (!ownEnd) exitOnSignals();
    const answer = typeof made === 'function' ? made() : made;
    if (aside) {
      await deliver();
      return say(answer.text.replaceAll(aside, 'standard output'));
    }
    const text = options.json ? JSON.stringify(answer.json, null, 2) : answer.text;
    if (text) await print(`${text}\n`);
  });
}

/** What works on the database is loaded when it is needed: `--help` and a wrong argument are answered at once. */
const inDatabase: typeof onDatabase = async (action, around) =>
  await (await import('./database.ts')).onDatabase(action, around);

/** Long after any command has ended. */
const LEFT_BEHIND_MS = 86_400_000;

/** Where a file for standard output is made: whole, beside the database, and gone when the command ends. */
function asideIn(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  // Of commands that were killed.
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith('out-'))) {
    const path = join(dataDir, name);
    if (Date.now() - statSync(path).mtimeMs > LEFT_BEHIND_MS) rmSync(path, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(resolve(dataDir), 'out-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'file');
}

/** Its name is gone before the first byte is printed, so that nothing stays whatever ends the command. */
async function printFile(path: string): Promise<void> {
  exitOnSignals();
  const file = await open(path);
  rmSync(dirname(path), { recursive: true, force: true });
  try {
    for await (const bytes of file.createReadStream()) await print(bytes);
  } catch (error) {
    throw error instanceof OutputClosed
      ? new Error('Standard output was closed before everything was printed.')
      : error;
  }
}

export async function run(program: Command): Promise<void> {
  interruptOnSignals();
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    const { exitCode, message } = await outcomeOf(error);
    const wantsJson = process.argv.includes('--json');
    if (wantsJson && error instanceof Refused)
      process.stdout.write(`${JSON.stringify(error.json, null, 2)}\n`);
    if (message) say(message);
    process.exitCode = exitCode;
  }
}

async function outcomeOf(error: unknown): Promise<{ exitCode: number; message: string }> {
  if (signal.aborted) return { exitCode: 130, message: 'Interrupted.' };
  if (error instanceof OutputClosed) return { exitCode: 0, message: '' };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, message: '' };
    const message = error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '');
    return { exitCode: 2, message: message && `${oneLine(message)} (see --help)` };
  }
  if (error instanceof WrongArgument) return { exitCode: 2, message: error.message };
  if (error instanceof ConfigError) return { exitCode: 1, message: error.message };
  const { asProblem, isDatabaseUnavailable } = await import('../src/http/errors.ts');
  if (isDatabaseUnavailable(error)) {
    return { exitCode: 1, message: `Can't reach the database: ${oneLine((error as Error).message)}` };
  }
  const refusal = asProblem(error);
  if (refusal.name === 'INTERNAL') {
    const message = aboutFile(error) ?? (error instanceof Error ? error.message : String(error));
    return { exitCode: 1, message };
  }
  const faults = refusal.errors
    ?.map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ');
  const message = faults ?? refusal.message;
  return { exitCode: WRONG.has(refusal.name) ? 2 : 1, message };
}

const WRONG = new Set<ProblemName>(['VALIDATION_ERROR', 'INVALID_QUERY']);

/** The system's refusal of a file in plain words; null for any other error. */
function aboutFile(error: unknown): string | null {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'EISDIR') return 'This is a folder, but a file is needed.';
  if (code === 'ENOSPC') return 'The disk is full.';
  if (code === 'EDQUOT') return 'Your disk quota is used up.';
  if (!path || syscall?.startsWith('spawn')) return null;
  const { file, isOutput } = namedBy(path, syscall);
  const folder = dirname(file);
  if (code === 'EROFS') return `Can't write to ${folder}: it is read-only.`;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    if (!existsSync(folder)) return `The folder ${folder} doesn't exist.`;
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder.`;
    return isOutput ? `Can't write to ${folder}.` : `The file ${file} doesn't exist.`;
  }
  return code === 'EACCES' || code === 'EPERM'
    ? `You don't have permission to ${isOutput ? 'write' : 'open'} ${file}.`
    : null;
}

const outputs = new Set<string>();

/** The path of a file to write: what the system refuses of it is told as a refusal to write. */
export function outputOf(path: string): string {
  const output = pathOf(path);
  outputs.add(output);
  return output;
}

/** The file that a person named: while it is written, others stand beside it. */
function namedBy(path: string, syscall = ''): { file: string; isOutput: boolean } {
  const hidden = /^\.(.+?)\.(lock(\.[0-9a-f-]+)?|\w+\.part)$/.exec(basename(path))?.[1];
  const file = hidden ? join(dirname(path), hidden) : path.replace(/\.[0-9a-f-]{36}\.part$/, '');
  return { file, isOutput: Boolean(hidden) || outputs.has(file) || syscall.startsWith('mk') };
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim();

/** Where the person stands who typed the path: npm itself changes to the project's folder. */
export const pathOf = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);

/** Refuses to write over a file unasked. */
export function mayWrite(path: string, force: boolean): void {
  if (force || !existsSync(path)) return;
  throw new Error(`${path} already exists. Use another name, or --force to replace it.`);
}

export const numberOf = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`;

export const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function listOfWords(text: string): string[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0) throw new InvalidArgumentError('Name at least one, separated by commas.');
  return words;
}

/** A bar on a terminal, nothing elsewhere. Each step is also where an interruption takes effect. */
export function progress(what: string): { step(done: number, total: number): void; end(): void } {
  const bar = process.stderr.isTTY
    ? new SingleBar({
        format: `${what} [{bar}] {value} of {total}, {eta_formatted} left`,
        // A signal that ends the process at once must leave the terminal as it was.
        gracefulExit: false,
        clearOnComplete: true,
        stream: process.stderr,
      })
    : null;
  let started = false;
  return {
    step(done, total) {
      if (!started) bar?.start(total, 0);
      started = true;
      bar?.update(done);
      signal.throwIfAborted();
    },
    end: () => bar?.stop(),
  };
}

/** Columns under headings, for a terminal; `none` is said where there is no row. */
export function table(headings: string[], rows: string[][], none: string): string {
  if (rows.length === 0) return none;
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}
