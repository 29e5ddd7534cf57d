/**
 * The service's error messages in the app's language, by error code; in the service's English if there is no text.
 */
import i18next from 'i18next';
import type { FaultTextParameters } from '../../../src/platform/http/problems/error-codes.ts';
import { languageNameInSentence } from '../../../src/platform/lib/languages/language-name.ts';

interface Fault {
  code?: string | null | undefined;
  message: string;
  params?: FaultTextParameters | undefined;
}

const translate = i18next.t as (key: string, options: object) => string;

export function faultText({ code, message, params }: Fault): string {
  return code
    ? translate(code, {
        ns: ['faults', 'dashboard-faults'],
        ...readableParams(params),
        defaultValue: message,
      })
    : message;
}

/** Parameters contain language tags and filter names, which are replaced by readable names. */
function readableParams(params: FaultTextParameters = {}): FaultTextParameters {
  const within = (tag: string) => languageNameInSentence(tag, i18next.language);
  const { language, languages, filter } = params;
  // The dashboard's texts have the filter names.
  const nameOf = (name: string) => translate(`filterNames.${name}`, { ns: 'dashboard', defaultValue: name });
  return {
    ...params,
    ...(typeof filter === 'string' && { filter: filter.split(', ').map(nameOf).join(', ') }),
    ...(typeof language === 'string' && { language: within(language) }),
    ...(typeof languages === 'string' && {
      languages: new Intl.ListFormat(i18next.language).format(languages.split(', ').map(within)),
    }),
  };
}
