/** What the service found wrong, told by its code in the app's language; where there is no text, in its own English. */
import i18next from 'i18next';
import type { Params } from '../../src/http/faults.ts';

interface Told {
  code?: string | null | undefined;
  message: string;
  params?: Params | undefined;
}

const tell = i18next.t as (key: string, options: object) => string;

export function faultText({ code, message, params }: Told): string {
  return code ? tell(code, { ns: 'faults', ...params, defaultValue: message }) : message;
}
