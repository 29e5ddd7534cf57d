/** What the service found wrong, told by its code in the app's language; where there is no text, in its own English. */
import i18next from 'i18next';
import type { Params } from '../../src/http/faults.ts';

interface Fault {
  code?: string | null | undefined;
  message: string;
  params?: Params | undefined;
}

const translate = i18next.t as (key: string, options: object) => string;

export function faultText({ code, message, params }: Fault): string {
  return code ? translate(code, { ns: 'faults', ...params, defaultValue: message }) : message;
}
