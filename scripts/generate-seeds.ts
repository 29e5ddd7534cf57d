/** npm run generate-seeds: creates seeds and prints their invitations, or prints existing ones again. */

import type { PrintTarget } from '../src/coupons/print/printed-file.ts';
import { Seed, SeedCreate } from '../src/coupons/seeds/schema.ts';
import { declaredFieldsSerializer } from '../src/platform/http/lists/declared-fields.ts';
import {
  type CommandContext,
  type CommandResult,
  define,
  examples,
  numberOf,
  run,
  schemaFaults,
  setAction,
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
  ...(await import('../src/coupons/seeds/find.ts')),
  ...(await import('../src/coupons/seeds/create.ts')),
});

interface Options extends PrintOptions {
  count: number;
  reprint?: true | string[];
}

const program = define(
  'generate-seeds',
  'Create seeds and print an invitation for each, with a QR code and a coupon code.',
)
  .option('--location <site>', 'site of the seeds, by name or id (default: the only site)')
  .option('--count <number>', 'how many, 1 to 5000', wholeNumber(1, 5000), 10)
  .option('--note <text>', 'a note for each seed')
  .option(
    '--reprint [seed...]',
    'print these seeds again, or all unused seeds (at --location); creates none',
  );
examples(
  withDryRun(withJson(withPaper(program, { what: 'seeds', layout: 'page' }))),
  'generate-seeds',
  'generate-seeds -- --location "Downtown shelter" --count 50 --out seeds.pdf',
  'generate-seeds -- --location "Downtown shelter" --count 20 --layout cards --paper LETTER --out seeds.pdf',
  'generate-seeds -- --reprint --location "Downtown shelter" --out again.pdf',
);

setAction<Options>(
  program,
  async (options, context) => {
    const { withPrintedFileLock: preparePrint, seedExists } = await load();
    const out = outputPath(options, 'seeds');
    const file = { path: out, isStored: seedExists };
    return await preparePrint(file, { force: options.force === true, say: context.say }, () =>
      options.reprint ? reprintFile({ ...options, out }, context) : make(options, file, context),
    );
  },
  {
    check: async ({ note, reprint }) => [
      ...(reprint && program.getOptionValueSource('count') === 'cli'
        ? ["--reprint doesn't create seeds. Leave out --count."]
        : []),
      ...(await schemaFaults(SeedCreate.pick({ note: true }), { note })),
    ],
  },
);

async function reprintFile(options: Options, context: CommandContext): Promise<CommandResult> {
  const { findLocation, findSeedsToReprint } = await load();
  const location = options.location ? (await findLocation(options.location))._id : null;
  const ids = Array.isArray(options.reprint) ? options.reprint : [];
  const seeds = await findSeedsToReprint({ ids, location });
  const codes = seeds.map((seed) => seed.referralCode);
  const sites = seeds.map((seed) => seed.location);
  return await reprint('seed', codes, options, context, sites);
}

async function make(options: Options, file: PrintTarget, context: CommandContext): Promise<CommandResult> {
  const { count } = options;
  const { parseInput, createSeeds, printSheetAndStoreCodes: printAndStore } = await load();
  const site = await siteOf(options.location);
  const { note = null } = parseInput(SeedCreate, { location: site._id.toHexString(), note: options.note });
  const { sheet, end } = await sheetFor('seed', options, context, { sites: [site._id], count });
  const pages = pagesOf(sheet, count);
  if (context.dryRun) {
    return {
      text: `Would create ${numberOf(count, 'seed')} at ${site.name} and print ${pages} to ${file.path}`,
      json: { out: file.path, count },
    };
  }
  const fields = { kind: 'PLANNED' as const, location: site._id, note, by: null, now: context.now };
  const seeds = await printAndStore(file, (print) =>
    createSeeds(fields, count, async (newSeeds) => {
      const [first] = newSeeds;
      if (first) await print(first._id, { ...sheet, codes: newSeeds.map((seed) => seed.referralCode) });
      context.signal.throwIfAborted();
    }),
  ).finally(end);
  return {
    text: `Created ${numberOf(count, 'seed')} at ${site.name}: ${pages} in ${file.path}`,
    json: { out: file.path, count, seeds: seeds.map(declaredFieldsSerializer(Seed)) },
  };
}

await run(program);
