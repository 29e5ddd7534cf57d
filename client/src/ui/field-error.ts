/** What the service said about one field. */
import { Refusal } from '../api.ts';

export function faultOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return error.errors.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message;
}
