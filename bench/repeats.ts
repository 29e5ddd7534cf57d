/**
 * Are repeats found, at what cost, and how many people are flagged who are someone else?
 *
 *   npx tsx bench/repeats.ts [--identities 1000000] [--posts 300] [--planted 1000] [--people 10000]
 *
 * 1. The time of POST /api/surveys with identity answers, among that many stored identities, beside the same interview
 *    without identity questions, in turn.
 * 2. Planted repeats with one changed clue: how many are flagged.
 * 3. Different people with realistic names and birth dates: how many would be flagged.
 */
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import {
  hashIdentityAnswers,
  type IdentityHashes,
} from '../src/interviews/surveys/repeats/identity-hashes.ts';
import { randomStream } from '../src/statistics/estimators/draws/random.ts';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from '../test/attack/service-process.ts';

const { values } = parseArgs({
  options: {
    identities: { type: 'string', default: '1000000' },
    posts: { type: 'string', default: '300' },
    planted: { type: 'string', default: '1000' },
    people: { type: 'string', default: '10000' },
  },
});
const [IDENTITIES, POSTS, PLANTED, PEOPLE] = [
  values.identities,
  values.posts,
  values.planted,
  values.people,
].map(Number) as [number, number, number, number];
const BATCH = 10_000;
const CONCURRENT_REQUESTS = 8;
const say = (text: string) => console.log(text);

/** The same people each time. */
const { uniform: random, below } = randomStream(20_261_125, 'people');

/**
 * The most frequent surnames of the United States Census 2010, per 100,000 people, and given names of the Social Security
 * Administration's list for 1926–2025, by rank. Only so few names exist here: real people differ more, so that real false
 * flags are fewer.
 */
const SURNAMES =
  'Smith 828,Johnson 655,Williams 551,Brown 487,Jones 483,Garcia 395,Miller 393,Davis 378,Rodriguez 371,Martinez 359,Hernandez 353,Lopez 296,Gonzalez 285,Wilson 271,Anderson 265,Thomas 256,Taylor 254,Moore 245,Jackson 240,Martin 238,Lee 234,Perez 230,Thompson 225,White 223,Harris 211,Sanchez 208,Clark 190,Ramirez 188,Lewis 180,Robinson 179,Walker 177,Young 164,Allen 163,King 157,Wright 155,Scott 148,Torres 148,Nguyen 148,Hill 147,Flores 147,Green 146,Adams 145,Nelson 144,Baker 142,Hall 138,Rivera 132,Campbell 131,Mitchell 130,Carter 127,Roberts 127,Gomez 123,Phillips 122,Evans 121,Turner 118,Diaz 117,Parker 117,Cruz 112,Edwards 112,Collins 110,Reyes 105,Stewart 105,Morris 104,Morales 103,Murphy 102,Cook 100,Rogers 100,Gutierrez 99,Ortiz 97,Morgan 97,Cooper 96,Peterson 94,Bailey 94,Reed 94,Kelly 91,Howard 89,Ramos 89,Kim 89,Cox 88,Ward 88,Richardson 88';
const GIVEN_NAMES =
  'James,Robert,John,Michael,David,William,Richard,Joseph,Thomas,Christopher,Charles,Daniel,Matthew,Anthony,Mark,Donald,Steven,Andrew,Paul,Joshua,Kenneth,Kevin,Brian,Timothy,Ronald,Jason,George,Edward,Jeffrey,Ryan,Mary,Patricia,Jennifer,Linda,Elizabeth,Barbara,Susan,Jessica,Karen,Sarah,Lisa,Nancy,Sandra,Betty,Ashley,Emily,Kimberly,Margaret,Donna,Michelle,Carol,Amanda,Melissa,Deborah,Stephanie,Dorothy,Rebecca,Sharon,Laura,Cynthia';

function weighted(list: [name: string, weight: number][]): () => string {
  const total = list.reduce((sum, [, weight]) => sum + weight, 0);
  return () => {
    let remaining = random() * total;
    for (const [name, weight] of list) {
      remaining -= weight;
      if (remaining <= 0) return name;
    }
    return list[0]?.[0] ?? '';
  };
}
const surname = weighted(
  SURNAMES.split(',').map((one): [string, number] => {
    const [name = '', weight] = one.split(' ');
    return [name, Number(weight)];
  }),
);
/** A name's share falls with its rank about as these do: the first has some 1.7 %, the sixtieth 0.4 %. */
const givenName = weighted(
  GIVEN_NAMES.split(',').map((name, rank): [string, number] => [name, 1 / (1 + (rank % 30) / 10)]),
);

const NAMES = ['letters', 'surname', 'day', 'month', 'year'] as const;
type IdentityAnswers = Record<(typeof NAMES)[number], string>;

/** Two letters of each name, and a birth date of someone of 18 to 77 years. */
const somebody = (): IdentityAnswers => ({
  letters: givenName().slice(0, 2),
  surname: surname().slice(0, 2),
  day: String(1 + below(28)),
  month: String(1 + below(12)),
  year: String(2008 - Math.floor(30 * (random() + random()))),
});
const changed = (clues: IdentityAnswers): IdentityAnswers => {
  const name = NAMES[below(NAMES.length)] ?? 'day';
  for (;;) {
    const other = somebody();
    if (other[name] !== clues[name]) return { ...clues, [name]: other[name] };
  }
};

/** How many of different people share all clues, or all but one, with someone who came before. */
function falseFlags(): { exact: number; near: number } {
  const almost = new Set<string>();
  const all = new Set<string>();
  const matches = { exact: 0, near: 0 };
  for (let one = 0; one < PEOPLE; one++) {
    const [whole, ...rest] = hashIdentityAnswers(
      { identityQuestions: [...NAMES] },
      somebody(),
      'a key of the benchmark alone',
    ) as IdentityHashes;
    if (whole && all.has(whole)) matches.exact += 1;
    else if (rest.some((hash) => almost.has(hash))) matches.near += 1;
    all.add(whole ?? '');
    for (const hash of rest) almost.add(hash);
  }
  return matches;
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function drill(service: ServiceProcess): Promise<void> {
  await service.until('The service is up');
  const { token, site } = await administrator(service.dataDir, '+12065550101');
  const questionnaire = async (name: string, identityQuestions?: readonly string[]) => {
    const { body, status } = await ask(service, 'POST', '/api/questionnaires', {
      token,
      body: {
        ...{ name, networkSizeQuestion: 'known', ...(identityQuestions && { identityQuestions }) },
        definition: {
          elements: [
            { type: 'text', inputType: 'number', name: 'known' },
            ...NAMES.map((one) => ({ type: 'text', name: one })),
          ],
        },
      },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return String(body.id);
  };
  const [asking, silent] = [await questionnaire('Clues', NAMES), await questionnaire('No clues')];
  const post = async (version: string, clues: IdentityAnswers): Promise<{ id: string; ms: number }> => {
    const begin = performance.now();
    const { status, body } = await ask(service, 'POST', '/api/surveys', {
      token,
      body: { location: site, questionnaire: version, responses: { known: 5, ...clues } },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: String(body.id), ms: performance.now() - begin };
  };
  await withItsDatabase(service.dataDir, async (db) => {
    for (let from = 0; from < IDENTITIES; from += BATCH) {
      const some = Array.from({ length: Math.min(BATCH, IDENTITIES - from) }, () => ({
        survey: new mongoose.Types.ObjectId(),
        hashes: Array.from({ length: 6 }, () => randomBytes(32).toString('base64url')),
      }));
      await db.collection('identities').insertMany(some, { ordered: false });
    }
  });
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < POSTS + 30; round++) {
    const [one, other] = [await post(asking, somebody()), await post(silent, somebody())];
    if (round < 30) continue;
    times.with.push(one.ms);
    times.without.push(other.ms);
  }
  const [with_, without] = [median(times.with), median(times.without)];
  say(
    `${IDENTITIES.toLocaleString('en')} identities: an interview with identity answers ${with_.toFixed(1)} ms, without ${without.toFixed(1)} ms: ${(((with_ - without) / without) * 100).toFixed(0)} % more (medians of ${POSTS})`,
  );

  const people = Array.from({ length: PLANTED }, somebody);
  const repeats: string[] = [];
  for (let from = 0; from < people.length; from += CONCURRENT_REQUESTS)
    await Promise.all(people.slice(from, from + CONCURRENT_REQUESTS).map((clues) => post(asking, clues)));
  for (let from = 0; from < people.length; from += CONCURRENT_REQUESTS)
    repeats.push(
      ...(
        await Promise.all(
          people.slice(from, from + CONCURRENT_REQUESTS).map((clues) => post(asking, changed(clues))),
        )
      ).map(({ id }) => id),
    );
  const flagged = await withItsDatabase(service.dataDir, (db) =>
    db.collection('surveys').countDocuments({
      _id: { $in: repeats.map((id) => new mongoose.Types.ObjectId(id)) },
      repeat: { $exists: true, $ne: null },
    }),
  );
  say(`planted repeats with one changed identity answer: ${flagged} of ${PLANTED} flagged`);
}

const { exact, near } = falseFlags();
say(
  `${PEOPLE.toLocaleString('en')} different people: ${exact} share all identity answers with someone before them, ${near} all but one (${((100 * (exact + near)) / PEOPLE).toFixed(1)} % flagged)`,
);
const service = await startProcess({ command: [process.execPath, 'dist/src/main.js'] });
try {
  await drill(service);
} finally {
  endProcess(service);
}
say(`load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`);
