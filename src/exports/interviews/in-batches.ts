/** Collects items into batches of at most `most`; none if there are no items. */
export async function* inBatches<T>(items: AsyncIterable<T>, max: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of items) {
    batch.push(one);
    if (batch.length < max) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
