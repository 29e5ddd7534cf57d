/** Which tab may write an interview. Apart from the interviews themselves, so that the first page loads without them. */
import { randomId } from './random-id.ts';

/** This tab, for the question who may write. */
export const THIS_TAB = randomId();

/** The interview was opened in another tab, finished or discarded: this tab must not write any more. */
export class NotTheEditor extends Error {
  override readonly name = 'NotTheEditor';
}
