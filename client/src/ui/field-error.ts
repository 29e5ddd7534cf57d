/** The service's error for one field. */
import { Refusal } from '../session/api.ts';
import { faultText } from '../session/fault-text.ts';

export function fieldFaultOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const fault = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}.`));
  return fault && faultText(fault);
}
