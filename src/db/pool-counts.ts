/** How the connections of the driver's pool are used, counted from its events. */
import mongoose from 'mongoose';

type Client = mongoose.mongo.MongoClient;
interface Event {
  address: string;
  connectionId: unknown;
}

interface PoolCounts {
  open: Set<string>;
  inUse: Set<string>;
  waiting: number;
}

const byClient = new WeakMap<Client, PoolCounts>();

/** Of the connection as it is now; counts from the first call on. */
export function poolCounts(): { idle: number; in_use: number; waiting: number } {
  const client = mongoose.connection.getClient();
  const { open, inUse, waiting } = byClient.get(client) ?? watch(client);
  return { idle: open.size - inUse.size, in_use: inUse.size, waiting };
}

function watch(client: Client): PoolCounts {
  const counts: PoolCounts = { open: new Set(), inUse: new Set(), waiting: 0 };
  byClient.set(client, counts);
  const key = ({ address, connectionId }: Event) => `${address} ${String(connectionId)}`;
  const served = () => {
    // Of one that began to wait before this did.
    counts.waiting = Math.max(0, counts.waiting - 1);
  };
  client.on('connectionCreated', (event) => counts.open.add(key(event)));
  client.on('connectionClosed', (event) => {
    counts.open.delete(key(event));
    counts.inUse.delete(key(event));
  });
  client.on('connectionCheckOutStarted', () => {
    counts.waiting += 1;
  });
  client.on('connectionCheckOutFailed', served);
  client.on('connectionCheckedOut', (event) => {
    served();
    counts.open.add(key(event));
    counts.inUse.add(key(event));
  });
  client.on('connectionCheckedIn', (event) => counts.inUse.delete(key(event)));
  return counts;
}
