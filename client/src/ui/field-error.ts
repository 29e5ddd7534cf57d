/** The service's error for one field. */
import { RequestRefusal } from '../session/api.ts';
import { faultText } from '../session/fault-text.ts';

export function fieldFaultOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof RequestRefusal)) return undefined;
  const fault = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}.`));
  return fault && faultText(fault);
}
