/** Loads .env into the environment, and says if this account can't. */
import 'dotenv/config';
import { existsSync, readFileSync } from 'node:fs';

const ENV_FILE = '.env';

/**
 * Null where all settings are known: .env can be read, there is none, or the environment itself names the database. Otherwise a
 * command would work on a new database of its own.
 */
export function unreadableEnvFile(env: NodeJS.ProcessEnv): { text: string; fix: string } | null {
  if (env.MONGO_URI || env.DATA_DIR || !existsSync(ENV_FILE)) return null;
  try {
    readFileSync(ENV_FILE);
    return null;
  } catch {
    return {
      text: 'This account can’t read .env, so its settings are missing here.',
      fix: 'Run this as the service’s account: sudo -u survey npm run …',
    };
  }
}
