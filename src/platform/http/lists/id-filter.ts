import mongoose from 'mongoose';

/** A filter on fields that hold ids, by those that a query gives. */
export const idFilter = (ids: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([field, id]) => (id ? [[field, new mongoose.Types.ObjectId(id)]] : [])),
  );
