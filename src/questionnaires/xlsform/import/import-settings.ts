/** Imports the settings sheet. Browser-safe. */

import { tagOfLanguage } from '../languages.ts';
import { QUESTIONNAIRE_DEFAULTS } from '../row-types.ts';
import type { JsonObject, XlsformImportContext } from './import-context.ts';
import type { SheetRow, SheetTable } from './table.ts';

export interface XlsformSettings {
  name: string;
  language: string | null;
  networkSize: string | null;
  takesPartIf: string | null;
  identityQuestions: string[] | null;
  row: SheetRow | null;
  definition: JsonObject;
}

/** Settings that are read, and that would be missed if misspelled. */
const KNOWN_SETTINGS = [
  'form_title',
  'form_id',
  'default_language',
  'network_size_question',
  'takes_part_if',
  'identity_questions',
];

export function importedSettingsOf(table: SheetTable | null, reading: XlsformImportContext): XlsformSettings {
  const row = table?.rows[0] ?? null;
  const take = (key: string) => row?.take(key) ?? '';
  const title = take('form_title') || take('title');
  const called = take('questionnaire_name');
  const id = take('form_id') || take('id_string');
  const name = (called || title || id || 'XLSForm').slice(0, 100);
  const defaultLanguage = take('default_language');
  const language = defaultLanguage === '' ? null : tagOfLanguage(defaultLanguage);
  if (row && defaultLanguage !== '' && language === null && defaultLanguage.toLowerCase() !== 'default')
    reading.tell(row, 'SETTING_LEFT_OUT', { name: 'default_language' });
  const definition: JsonObject = {
    ...(title && { title }),
    ...(language && { locale: language }),
    ...QUESTIONNAIRE_DEFAULTS,
  };
  const clues = take('identity_questions').split(/\s+/).filter(Boolean);
  return {
    name,
    language,
    networkSize: take('network_size_question') || null,
    takesPartIf: null,
    identityQuestions: clues.length > 0 ? clues : null,
    row,
    definition,
  };
}

export function noteIgnoredXlsformSettings(reading: XlsformImportContext, row: SheetRow): void {
  const isPages = row.take('style').toLowerCase() === 'pages';
  row.take('allow_choice_duplicates');
  for (const { key, head } of row.left) {
    if (key === 'version') reading.tell(row, 'SETTING_OWN', { name: head });
    else if (!reading.tellMisspelled(row, key, head, KNOWN_SETTINGS))
      reading.tell(row, 'SETTING_LEFT_OUT', { name: head });
  }
  if (!isPages && row.take('style') !== '') reading.tell(row, 'SETTING_LEFT_OUT', { name: 'style' });
}
