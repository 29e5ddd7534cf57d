/** npm run generate-coupons: printed batches of reserved codes that volunteers hand out. */

import type { PrintTarget } from '../src/coupons/print/printed-file.ts';
import { BatchCreate } from '../src/coupons/referral-codes/schema.ts';
import {
  type CommandContext,
  type CommandResult,
  define,
  examples,
  numberOf,
  run,
  schemaFaults,
  setAction,
  table,
  wholeNumber,
  withDryRun,
  withJson,
} from './command.ts';
import { outputPath, type PrintOptions, pagesOf, reprint, sheetFor, siteOf, withPaper } from './print.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/study/locations/find.ts')),
  ...(await import('../src/coupons/print/printed-file.ts')),
  ...(await import('../src/coupons/referral-codes/batches.ts')),
  ...(await import('../src/coupons/referral-codes/issue.ts')),
});

interface Options extends PrintOptions {
  count: number;
  list?: boolean;
  reprint?: string;
  voidRest?: string;
}

const program = define('generate-coupons', 'Create a batch of coupons and print them.')
  .option('--location <site>', 'site where they are handed out, by name or id (default: the only site)')
  .option('--count <number>', 'how many, 1 to 5000', wholeNumber(1, 5000), 100)
  .option('--note <text>', 'a note for the batch')
  .option('--list', 'list the batches and the state of their coupons')
  .option('--reprint <batch>', 'print the unused coupons of this batch again')
  .option('--void-rest <batch>', 'void the unused coupons of this batch');
examples(
  withDryRun(withJson(withPaper(program, { what: 'coupons', layout: 'cards' }))),
  'generate-coupons',
  'generate-coupons -- --location "Downtown shelter" --count 300 --out coupons.pdf',
  'generate-coupons -- --list',
  'generate-coupons -- --void-rest 665f1c2ab7e4d90012345678',
);

setAction<Options>(
  program,
  async (options, context) => {
    if (options.list) return await list(context);
    if (options.voidRest !== undefined) return await end(options.voidRest, context);
    const { batchExists, withPrintedFileLock: preparePrint } = await load();
    const out = outputPath(options, 'coupons');
    const file = { path: out, isStored: batchExists };
    return await preparePrint(file, { force: options.force === true, say: context.say }, () =>
      options.reprint === undefined
        ? make(options, file, context)
        : reprintFile(options.reprint, { ...options, out }, context),
    );
  },
  {
    check: async ({ list: listed, reprint: batch, voidRest, note }) => {
      const isCounted = program.getOptionValueSource('count') === 'cli';
      const modes = [listed, batch, voidRest, isCounted].filter(Boolean);
      return [
        ...(modes.length > 1 ? ['Use only one of --count, --list, --reprint and --void-rest.'] : []),
        ...(await schemaFaults(BatchCreate.pick({ note: true }), { note })),
      ];
    },
  },
);

async function reprintFile(id: string, options: Options, context: CommandContext): Promise<CommandResult> {
  const { remainingCodes, findBatch } = await load();
  const batch = await findBatch(id);
  return await reprint('coupon', await remainingCodes(batch._id), options, context, [batch.location]);
}

async function list({ now }: CommandContext): Promise<CommandResult> {
  const { listBatches, listLocations } = await load();
  const [batches, sites] = await Promise.all([listBatches(now), listLocations()]);
  const names = new Map(sites.map((one) => [String(one._id), one.name]));
  const rows = batches.map((one) => [
    one._id.toHexString(),
    one.createdAt.toISOString().slice(0, 10),
    names.get(String(one.location)) ?? '(deleted)',
    ...[one.count, one.left, one.handedOut, one.redeemed, one.voided].map(String),
    one.note ?? '',
  ]);
  const headings = [
    'BATCH',
    'CREATED',
    'LOCATION',
    'CODES',
    'LEFT',
    'HANDED OUT',
    'REDEEMED',
    'VOID',
    'NOTE',
  ];
  const text = table(headings, rows, 'There are no batches.');
  return { text, json: batches.map(({ _id, ...one }) => ({ id: _id, ...one })) };
}

async function end(id: string, { now, dryRun }: CommandContext): Promise<CommandResult> {
  const { findBatch, voidRemainingBatchCodes: voidRemaining } = await load();
  const batch = await findBatch(id);
  const voided = await voidRemaining(batch._id, { by: null, now });
  return { text: `${dryRun ? 'Would void' : 'Voided'} ${voided} codes.`, json: { batch: batch._id, voided } };
}

async function make(options: Options, file: PrintTarget, context: CommandContext): Promise<CommandResult> {
  const { parseInput, createBatch, printSheetAndStoreCodes: printAndStore } = await load();
  const site = await siteOf(options.location);
  const location = site._id.toHexString();
  const { count, note = null } = parseInput(BatchCreate, {
    count: options.count,
    location,
    note: options.note,
  });
  const { sheet, end } = await sheetFor('coupon', options, context, { sites: [site._id], count });
  const pages = pagesOf(sheet, count);
  if (context.dryRun) {
    return {
      text: `Would create ${numberOf(count, 'coupon')} for ${site.name} and print ${pages} to ${file.path}`,
      json: { out: file.path, count },
    };
  }
  const fields = { count, location: site._id, note };
  const batch = await printAndStore(file, (print) =>
    createBatch(fields, { by: null, now: context.now }, async (id, codes) => {
      await print(id, { ...sheet, codes });
      context.signal.throwIfAborted();
    }),
  ).finally(end);
  return {
    text: `Created batch ${batch.id.toHexString()}, ${numberOf(count, 'coupon')} for ${site.name}: ${pages} in ${file.path}`,
    json: { out: file.path, count, batch: batch.id, codes: batch.codes },
  };
}

await run(program);
