/** What generate-seeds and generate-coupons share: printing options and messages. */
import { type Command, Option } from 'commander';
import type { Types } from 'mongoose';
import type { CouponSheet } from '../src/coupons/print/coupon-sheet.ts';
import { paperGridFor } from '../src/coupons/print/paper.ts';
import type { LocationRecord } from '../src/study/locations/model.ts';
import {
  type CommandContext,
  type CommandResult,
  defaultOutput,
  listOfWords,
  numberOf,
  outputOf,
  progress,
  wrongArgument,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/study/locations/find.ts')),
  ...(await import('../src/coupons/print/printed-file.ts')),
  ...(await import('../src/coupons/print/coupon-sheet-of-study.ts')),
});

export interface PrintOptions {
  location?: string;
  note?: string;
  languages: string[];
  layout: CouponSheet['layout'];
  paper: CouponSheet['paper'];
  out?: string;
  force?: boolean;
}

export function withPaper(
  command: Command,
  { what, layout }: { what: 'seeds' | 'coupons'; layout: CouponSheet['layout'] },
): Command {
  const layouts = new Option('--layout <layout>', 'posters, business cards or sticky labels');
  return command
    .option(
      '--languages <languages>',
      "such as en,es (default: all of the study's languages)",
      listOfWords,
      [],
    )
    .addOption(layouts.choices(['page', 'cards', 'labels']).default(layout))
    .addOption(new Option('--paper <paper>', 'size of the paper').choices(['A4', 'LETTER']).default('A4'))
    .option('--out <file>', `the PDF to write, or - for standard output (default: ${what}-DATE.pdf)`)
    .option('--force', 'replace the file if it exists');
}

/** The file to write: the one that was named, or a new one in the folder where the person stands. */
export const outputPath = ({ out }: PrintOptions, what: 'seeds' | 'coupons'): string =>
  outputOf(out ?? defaultOutput(what, '.pdf'));

/** The named site, or the only one. */
export async function siteOf(name: string | undefined): Promise<LocationRecord> {
  const { findLocation, listLocations } = await load();
  if (name !== undefined) return await findLocation(name);
  const [onlySite, ...others] = await listLocations();
  if (!onlySite)
    throw new Error(
      'There are no sites yet. Create one first: npm run locations -- create "Downtown shelter" --type SHELTER',
    );
  if (others.length === 0) return onlySite;
  const names = [onlySite, ...others].map((site) => `  ${site.name}`);
  throw wrongArgument(`Choose a site with --location:\n${names.join('\n')}`);
}

export async function sheetFor(
  kind: CouponSheet['kind'],
  { layout, paper, languages }: PrintOptions,
  { config, say }: CommandContext,
  { sites, count }: { sites: Types.ObjectId[]; count: number },
): Promise<{ sheet: CouponSheet; end(): void }> {
  const { publicUrl, timeZone } = config;
  const { couponSheetOfStudy } = await load();
  if (/\/\/(localhost|127\.|\[::1])/.test(publicUrl)) {
    say(`Warning: the QR codes point to ${publicUrl}, which no other device can open. Set PUBLIC_URL.`);
  }
  const bar = progress('Printing');
  const onProgress = (printedCount: number) => bar.step(printedCount, count);
  const request = { kind, layout, paper, languages, publicUrl, timeZone, onProgress };
  const { sheet, notes } = await couponSheetOfStudy(request, sites);
  for (const { message } of notes) say(`Warning: ${message}`);
  return { sheet, end: bar.end };
}

export function pagesOf(sheet: CouponSheet, count: number): string {
  const { columns, rows } = paperGridFor(sheet);
  const pages = Math.ceil(count / (columns * rows));
  return `${numberOf(pages, 'page')} (${sheet.paper})`;
}

export async function reprint(
  kind: CouponSheet['kind'],
  codes: string[],
  options: PrintOptions,
  context: CommandContext,
  sites: Types.ObjectId[],
): Promise<CommandResult> {
  const path = outputPath(options, kind === 'seed' ? 'seeds' : 'coupons');
  const { printAgain } = await load();
  const { sheet, end } = await sheetFor(kind, options, context, { sites, count: codes.length });
  if (!context.dryRun) await printAgain(path, { ...sheet, codes }).finally(end);
  const verb = context.dryRun ? 'Would print' : 'Printed';
  return {
    text: `${verb} ${codes.length} again: ${pagesOf(sheet, codes.length)} in ${path}`,
    json: { out: path, codes },
  };
}
