/**
 * Exports a matrix as a group with table appearance: one question per row, all with the same choices. Browser-safe.
 */
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import type { TextOrTranslations } from '../languages.ts';
import type { UniqueNames } from '../unique-names.ts';
import type { ExpressionNameTarget } from '../xpath/to-xpath.ts';
import { xlsformChoiceRenames } from './export-choices.ts';
import {
  arrayOrEmpty,
  ExportedElement,
  type JsonObject,
  type XlsformExportContext,
} from './export-element.ts';
import { exportQuestion } from './export-question.ts';

const rowsOf = (json: JsonObject): JsonObject[] =>
  arrayOrEmpty(json.rows).map((one) => (isPlainObject(one) ? one : { value: one }));

const plain = (text: string) => text.replace(/[^\p{L}\p{N}_.-]/gu, '_');

/** Reserves names for the rows, because in the file each row is a question. */
export function reserveMatrixRowNames(
  targets: Map<string, ExpressionNameTarget>,
  free: UniqueNames,
  { json, key, name, repeat }: { json: JsonObject; key: string; name: string; repeat: string | null },
): void {
  const renames = xlsformChoiceRenames({ type: 'radiogroup', choices: json.columns });
  for (const { value } of rowsOf(json)) {
    const called = free.of(plain(`${name}_${String(value)}`));
    targets.set(`${key}.${String(value).toLowerCase()}`, { name: called, kind: 'one', repeat, renames });
  }
}

export function exportMatrixQuestion(
  writing: XlsformExportContext,
  json: JsonObject,
  repeat: string | null,
): void {
  const element = new ExportedElement(writing, json, repeat);
  const rows = rowsOf(json);
  element.take('rows');
  const choices = arrayOrEmpty(element.take('columns'));
  const begins = {
    type: 'begin_group',
    name: element.name,
    label: element.takeWords('title'),
    hint: element.takeWords('description'),
    relevant: element.takeRule('visibleIf'),
    appearance: 'table-list',
  };
  const isRequired = element.takeFlag('eachRowRequired') || element.takeFlag('isAllRowRequired');
  if (isRequired) element.takeFlag('isRequired');
  if (rows.length === 0) element.tell('KIND_LEFT_OUT', { kind: 'matrix' });
  else element.tellRest();
  if (rows.length === 0) return;
  const { survey } = writing.sheets;
  survey.push(begins);
  const key = String(json.valueName ?? json.name).toLowerCase();
  for (const { value, text, visibleIf, ...rest } of rows) {
    const target = writing.targets.get(`${key}.${String(value).toLowerCase()}`);
    const name = target?.name ?? plain(String(value));
    const title = (text ?? String(value)) as TextOrTranslations;
    const one = { type: 'radiogroup', name, title, choices, visibleIf, ...(isRequired && { isRequired }) };
    for (const property of Object.keys(rest))
      element.tell('PROPERTY_LEFT_OUT', { property: `rows.${property}` });
    const row = exportQuestion(writing, new ExportedElement(writing, one, repeat));
    if (row) survey.push(row);
  }
  survey.push({ type: 'end_group', name: '' });
}
