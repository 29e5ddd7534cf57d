/** Which interviews are counted: those of a site and a time, or all. */
import mongoose from 'mongoose';
import { createdWithin } from '../http/between.ts';
import type { SummaryQuery } from './schema.ts';

export interface Window {
  /** As a filter of surveys. */
  match: object;
  /** The same as an expression that is true of a survey which counts. */
  holds: object;
}

export function windowOf(asked: SummaryQuery, zone: string): Window {
  const location = asked.location ? new mongoose.Types.ObjectId(asked.location) : null;
  const { createdAt = {} } = createdWithin(asked, zone);
  const bounds = Object.entries(createdAt).map(([step, at]) => ({ [step]: ['$createdAt', at] }));
  return {
    match: { deletedAt: null, ...(location && { location }), ...createdWithin(asked, zone) },
    holds: {
      $and: [
        // As in a filter, null and absent are the same.
        { $lte: ['$deletedAt', null] },
        ...(location ? [{ $eq: ['$location', location] }] : []),
        ...bounds,
      ],
    },
  };
}
