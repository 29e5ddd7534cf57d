/** Which tab may write an interview. In its own file, so that the first page loads without the interview code. */
import { randomId } from './random-id.ts';

/** Identifies this tab as an editor. */
export const THIS_TAB = randomId();

/** The interview was opened in another tab, finished, or discarded, so this tab must not write to it any more. */
export class NotTheEditor extends Error {
  override readonly name = 'NotTheEditor';
}
