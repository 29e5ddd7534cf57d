import mongoose from 'mongoose';

/** A filter on fields with ids, for those ids that the query contains. */
export const idFilter = (ids: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([field, id]) => (id ? [[field, new mongoose.Types.ObjectId(id)]] : [])),
  );
