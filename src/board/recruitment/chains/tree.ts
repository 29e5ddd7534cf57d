/** One chain as a tree, for drawing: who recruited whom. Includes deleted interviews, because others are below them. */
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { SeedModel } from '../../../coupons/seeds/model.ts';
import { SurveyModel, type SurveyRecord } from '../../../interviews/surveys/model.ts';
import { auditListReads } from '../../../interviews/surveys/read/read.ts';
import { fieldError } from '../../../platform/http/problems/error-codes.ts';
import { problem, queryParameterProblem } from '../../../platform/http/problems/problem.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { readsAll } from '../../../platform/rights/guard.ts';
import { QuestionnaireModel } from '../../../questionnaires/model.ts';
import { colorKeyFinder } from '../../../questionnaires/validator/tree-colors.ts';
import { choicesOf } from '../../../questionnaires/validator/validator.ts';
import { QUERY_TIME_OPTIONS } from '../limits.ts';
import type { TreeQuery } from '../schema.ts';

export const MAX_TREE_NODES = 5_000;
/** Other requests get a turn after this many. */
const NODES_PER_TURN = 500;

type TreeSurvey = Pick<
  SurveyRecord,
  | '_id'
  | 'referralCode'
  | 'recruiter'
  | 'wave'
  | 'location'
  | 'createdBy'
  | 'heldAt'
  | 'createdAt'
  | 'status'
  | 'deletedAt'
> & { answer?: unknown };

export async function readSeedTree(actor: Actor, seed: Types.ObjectId, query: TreeQuery, log: Logger) {
  if (!(await SeedModel.exists({ _id: seed })))
    throw problem('NOT_FOUND', { message: 'This seed doesn’t exist.' });
  const color =
    query.question === undefined ? null : await coloring(query.question, actor.user._id.toHexString());
  const [surveys, recruits] = await Promise.all([nodesOf(seed, color), recruitsOf(seed)]);
  const reader = auditListReads(actor, 'tree', log);
  const colorOf = (one: TreeSurvey) => {
    // An answer belongs to a single survey, so only callers who may read that survey see it.
    if (!color || one.deletedAt !== null || !actor.ability.can('read', asSubject('Survey', one))) return null;
    reader.see(one);
    return color.shown(one.answer);
  };
  // Used coupons are claim numbers, so they are only shown to people who may look up coupons, or read the interview.
  const looksUpCoupons = readsAll(actor, 'ReferralCode');
  const mayKnowCode = (one: TreeSurvey) =>
    looksUpCoupons || (one.deletedAt === null && actor.ability.can('read', asSubject('Survey', one)));
  const tree = {
    seed,
    nodes: surveys.slice(0, MAX_TREE_NODES).map((one) => ({
      id: one._id,
      referralCode: mayKnowCode(one) ? one.referralCode : null,
      parent: one.recruiter,
      wave: one.wave,
      location: one.location,
      heldAt: one.heldAt,
      createdAt: one.createdAt,
      completed: one.status === 'COMPLETED',
      recruits: recruits.get(String(one._id)) ?? 0,
      value: colorOf(one),
      deleted: one.deletedAt !== null,
    })),
    truncated: surveys.length > MAX_TREE_NODES,
  };
  await reader.record();
  return tree;
}

/** Breadth first, because a recruiter's wave is always one less. Uses the index on `seed`. */
async function nodesOf(seed: Types.ObjectId, color: Coloring | null): Promise<TreeSurvey[]> {
  const place = { referralCode: 1, recruiter: 1, wave: 1, location: 1, createdBy: 1, status: 1 };
  const shape = { ...place, heldAt: 1, createdAt: 1, deletedAt: 1 };
  const rows = SurveyModel.collection.aggregate<TreeSurvey>(
    [
      { $match: { seed } },
      { $sort: { wave: 1, createdAt: 1, _id: 1 } },
      { $limit: MAX_TREE_NODES + 1 },
      // With `$getField`, because a name may contain characters with a special meaning in paths.
      { $project: { ...shape, ...(color && { answer: answerTo(color.key) }) } },
    ],
    { ...QUERY_TIME_OPTIONS, batchSize: NODES_PER_TURN },
  );
  const surveys: TreeSurvey[] = [];
  for await (const row of rows) surveys.push(row);
  return surveys;
}

const answerTo = (key: string) => ({ $getField: { field: { $literal: key }, input: '$responses' } });

async function recruitsOf(seed: Types.ObjectId): Promise<Map<string, number>> {
  const groups = await SurveyModel.collection
    .aggregate<{ _id: Types.ObjectId; recruits: number }>(
      [
        { $match: { seed, recruiter: { $ne: null } } },
        { $group: { _id: '$recruiter', recruits: { $sum: 1 } } },
      ],
      QUERY_TIME_OPTIONS,
    )
    .toArray();
  return new Map(groups.map(({ _id, recruits }) => [String(_id), recruits]));
}

interface Coloring {
  key: string;
  shown: ReturnType<typeof colorKeyFinder>;
}

async function coloring(question: string, by: string): Promise<Coloring> {
  const active = await QuestionnaireModel.findOne(
    { active: true },
    { definition: 1, identityQuestions: 1 },
  ).lean();
  const isClue = active?.identityQuestions?.includes(question);
  const choices = active && !isClue ? await choicesOf(active.definition, question, by) : null;
  if (choices) return { key: choices.key, shown: colorKeyFinder(choices) };
  throw queryParameterProblem(fieldError('question', 'NO_CHOICE_QUESTION'));
}
