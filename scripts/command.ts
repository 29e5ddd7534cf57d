/**
 * What the commands share. A command returns `{ text, json }`, one of which is printed. Exit codes: 0 done, 1 refused
 * or failed, 2 wrong arguments (a line for each), 130 interrupted. All arguments are checked before anything is started.
 * Results go to standard output, progress and warnings to standard error.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { type Command, CommanderError, InvalidArgumentError, type Option } from 'commander';
import type { z } from 'zod';
import { type Config, ConfigError, readConfig } from '../src/platform/config.ts';
import type { ProblemName } from '../src/platform/http/problems/problem.ts';
import { CheckedCommand } from './checked-command.ts';
import type { onDatabase } from './database.ts';
import { unreadableEnvFile } from './env-file.ts';
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

/** Those in square brackets may be missing. */
type Args = (string | undefined)[];
type Options = Record<string, unknown> & { json?: boolean; dryRun?: boolean; out?: string };
/** What is calculated for long is answered as a function, called once the database is closed. */
export type CommandAction<O, A extends Args = string[]> = (
  options: O,
  context: CommandContext,
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
  const command = on ? on.command(name) : new CheckedCommand(name);
  return command
    .description(description)
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {} })
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false);
}

const describeOption = ({ description, defaultValue, mandatory, argChoices }: Option): string => {
  const facts = [
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
    ...(mandatory && defaultValue === undefined ? ['required'] : []),
    ...(defaultValue === undefined || defaultValue === false || Array.isArray(defaultValue)
      ? []
      : [`default: ${String(defaultValue)}`]),
  ];
  return facts.length > 0 ? `${description} (${facts.join('; ')})` : description;
};

export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  npm run ${line}`).join('\n')}`);
}

export const withJson = (command: Command) => command.option('--json', 'print JSON, for scripts');
export const withDryRun = (command: Command) =>
  command.option('-n, --dry-run', 'change nothing; only print what would happen');

interface ActionSettings<O, A extends Args> {
  /** Opens no database, so that a signal ends it at once. */
  raw?: boolean;
  /** Whether the database is prepared for this version. */
  prepare?: boolean;
  /** It has something to stop, and takes its time. */
  ownEnd?: boolean;
  /** What is wrong with the arguments beyond what commander finds, a line for each. */
  check?(options: O, ...args: A): string[] | Promise<string[]>;
  /** The files that it reads, as they were named. */
  inputs?(options: O, ...args: A): string[];
  /** The files that it writes. With --force it may replace them. */
  outputs?(options: O, ...args: A): string[];
}

/** The command's action, with the arguments checked, the settings read and the database open. */
export function setAction<O, A extends Args = string[]>(
  command: Command,
  act: CommandAction<O, A>,
  settings: ActionSettings<O, A> = {},
): void {
  const { raw = false, prepare = true, ownEnd = false } = settings;
  command.action(async (...actionArgs: unknown[]) => {
    const options = actionArgs.at(-2) as Options;
    const args = actionArgs.slice(0, -2) as A;
    await checkArguments(command, options, args, settings);
    if (ownEnd) allowMoreTime();
    else if (raw) exitOnSignals();
    const unreadable = unreadableEnvFile(process.env);
    if (unreadable) throw new Error(`${unreadable.text} ${unreadable.fix}`);
    const config = readConfig(process.env);
    const dryRun = options.dryRun === true;
    const tempFolder = options.out === '-' ? temporaryFolderIn(config.dataDir) : null;
    if (tempFolder) options.out = tempFolder;
    const deliver = async () => {
      if (tempFolder && existsSync(tempFolder)) await printFile(tempFolder);
    };
    const context = { config, now: new Date(), signal, dryRun, say, deliver };
    const log = { info: say, warn: say };
    const action = () => act(options as O, context, ...args);
    const result = raw ? await action() : await inDatabase(action, { ...context, log, prepare });
    if (!ownEnd) exitOnSignals();
    const answer = typeof result === 'function' ? result() : result;
    if (tempFolder) {
      await deliver();
      return say(answer.text.replaceAll(tempFolder, 'standard output'));
    }
    const text = options.json ? JSON.stringify(answer.json, null, 2) : answer.text;
    if (text) await print(`${text}\n`);
  });
}

/** Throws with everything that is wrong: the arguments, files that can't be read, files that would be replaced. */
async function checkArguments<O, A extends Args>(
  command: Command,
  options: Options,
  args: A,
  { check, inputs, outputs }: ActionSettings<O, A>,
): Promise<void> {
  const faultCount = command instanceof CheckedCommand ? command.faults.length : 0;
  // Without its arguments there is nothing more to check.
  if (command.registeredArguments.some(({ required }, at) => required && args[at] === undefined))
    throw new WrongArgument('');
  const faults = (await check?.(options as O, ...args)) ?? [];
  if (options.out === '-' && options.json) faults.push("--json can't be combined with --out -.");
  const files = [
    ...(inputs?.(options as O, ...args) ?? []).map((path) => inputFault(pathOf(path))),
    ...(outputs?.(options as O, ...args) ?? []).map((path) =>
      path === '-' ? null : outputFault(outputOf(path), options.force === true),
    ),
  ].filter((fault) => fault !== null);
  if (faultCount + faults.length > 0) throw new WrongArgument([...faults, ...files].join('\n'));
  if (files.length > 0) throw new Error(files.join('\n'));
}

function inputFault(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return `${path} is a folder, but a file is needed.`;
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return aboutFile(error) ?? (error as Error).message;
  }
}

function outputFault(path: string, force: boolean): string | null {
  const folder = dirname(path);
  if (!existsSync(folder)) return `The folder ${folder} doesn't exist.`;
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder.`;
  if (!existsSync(path)) return null;
  if (statSync(path).isDirectory()) return `${path} is a folder, but a file is needed.`;
  return force ? null : alreadyExists(path);
}

/** What the schema of a request refuses of these arguments, a line for each. */
export async function schemaFaults(schema: z.ZodType, input: object): Promise<string[]> {
  const [{ parseInput }, { asProblem }] = await Promise.all([
    import('../src/platform/http/parse-input.ts'),
    import('../src/platform/http/problems/errors.ts'),
  ]);
  try {
    parseInput(schema, input);
    return [];
  } catch (error) {
    const { errors = [], message } = asProblem(error);
    return errors.length > 0 ? errors.map(faultLine) : [message];
  }
}

const faultLine = ({ path, message }: { path: string; message: string }) =>
  path ? `${path}: ${message}` : message;

/** What works on the database is loaded when it is needed: `--help` and a wrong argument are answered at once. */
const inDatabase: typeof onDatabase = async (action, context) =>
  await (await import('./database.ts')).onDatabase(action, context);

/** Long after any command has ended. */
const LEFTOVER_AGE_MS = 86_400_000;

/** Where a file for standard output is made: whole, beside the database, and gone when the command ends. */
function temporaryFolderIn(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  // Of commands that were killed.
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith('out-'))) {
    const path = join(dataDir, name);
    if (Date.now() - statSync(path).mtimeMs > LEFTOVER_AGE_MS) rmSync(path, { recursive: true, force: true });
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
    // Of a program whose verb is unknown, no action has run.
    if (faultsOf(program).length > 0) throw new WrongArgument('');
  } catch (error) {
    const { exitCode, message } = await outcomeOf(error, faultsOf(program));
    const wantsJson = process.argv.includes('--json');
    if (wantsJson && error instanceof Refused)
      process.stdout.write(`${JSON.stringify(error.json, null, 2)}\n`);
    if (message) say(message);
    process.exitCode = exitCode;
  }
}

/** What commander found wrong with the arguments. */
const faultsOf = (program: Command): string[] =>
  [program, ...program.commands].flatMap((one) =>
    one instanceof CheckedCommand ? one.faults.map(oneLine) : [],
  );

async function outcomeOf(error: unknown, wrong: string[]): Promise<{ exitCode: number; message: string }> {
  if (wrong.length > 0) {
    const all = [...wrong, ...(error instanceof WrongArgument && error.message ? [error.message] : [])];
    return { exitCode: 2, message: `${all.join('\n')}${all.length > 1 ? '\n' : ' '}(see --help)` };
  }
  if (signal.aborted) return { exitCode: 130, message: 'Interrupted.' };
  if (error instanceof OutputClosed) return { exitCode: 0, message: '' };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, message: '' };
    const message = error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '');
    return { exitCode: 2, message: message && `${oneLine(message)} (see --help)` };
  }
  if (error instanceof WrongArgument) return { exitCode: 2, message: error.message };
  if (error instanceof ConfigError) return { exitCode: 1, message: error.message };
  const { asProblem, isDatabaseUnavailable } = await import('../src/platform/http/problems/errors.ts');
  if (isDatabaseUnavailable(error)) {
    return { exitCode: 1, message: `Can't reach the database: ${oneLine((error as Error).message)}` };
  }
  const refusal = asProblem(error);
  if (refusal.name === 'INTERNAL') {
    const message = aboutFile(error) ?? (error instanceof Error ? error.message : String(error));
    return { exitCode: 1, message };
  }
  const faults = refusal.errors?.map(faultLine).join('; ');
  const message = faults ?? refusal.message;
  return { exitCode: WRONG_INPUT_PROBLEMS.has(refusal.name) ? 2 : 1, message };
}

const WRONG_INPUT_PROBLEMS = new Set<ProblemName>(['VALIDATION_ERROR', 'INVALID_QUERY']);

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
  throw new Error(alreadyExists(path));
}

const alreadyExists = (path: string) => `${path} already exists. Use another name, or --force to replace it.`;

/** For a command without --out: `seeds-2026-11-28.pdf`, or with a number behind it if there is one already. */
export function defaultOutput(what: string, ending: string): string {
  const today = new Date();
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  for (let number = 1; ; number += 1) {
    const name = `${what}-${day}${number > 1 ? `-${number}` : ''}${ending}`;
    if (!existsSync(pathOf(name))) return name;
  }
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
export function progress(what: string): { step(count: number, total: number): void; end(): void } {
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
    step(count, total) {
      if (!started) bar?.start(total, 0);
      started = true;
      bar?.update(count);
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
