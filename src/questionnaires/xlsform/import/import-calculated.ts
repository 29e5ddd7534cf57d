/**
 * Calculated fields of an XLSForm that are left out of the questionnaire. They must be known before the first rule is
 * converted, because no rule may refer to them. Browser-safe.
 */

import { parseXPathRule, writeValueExpression } from '../xpath/to-survey.ts';
import type { XPathNode } from '../xpath/xpath.ts';
import type { XlsformImportContext } from './import-context.ts';
import type { XlsformSurveyRow } from './survey-rows.ts';

export function leaveOutUselessRows(reading: XlsformImportContext, lines: XlsformSurveyRow[]): void {
  leaveOutEmpty(reading, lines);
  leaveOutValues(reading, lines);
}

/** Repeats without any questions. */
function leaveOutEmpty(reading: XlsformImportContext, lines: XlsformSurveyRow[]): void {
  const open: { line: XlsformSurveyRow | null; asks: boolean }[] = [{ line: null, asks: false }];
  for (const line of lines) {
    const { type } = line;
    const last = open.at(-1);
    if (type.is === 'begin') open.push({ line, asks: false });
    else if (last && (type.is === 'list' || (type.is === 'plain' && type.type !== 'calculate')))
      last.asks = true;
    if (type.is !== 'end' || !last?.line) continue;
    open.pop();
    const { name } = last.line;
    const knownName = reading.names.get(name);
    const outer = open.at(-1);
    if (outer) outer.asks ||= last.asks;
    if (!last.asks && knownName) reading.names.set(name, { ...knownName, leftOut: true });
  }
}

/**
 * Leaves out values that can't be calculated, and then the values that use those. After each removal only the values
 * that use it are checked again, so that a chain of thousands is followed once.
 */
function leaveOutValues(reading: XlsformImportContext, lines: XlsformSurveyRow[]): void {
  const formulas = new Map<XlsformSurveyRow, XPathNode | null>();
  const readers = new Map<string, XlsformSurveyRow[]>();
  for (const line of lines) {
    if (line.type.is !== 'plain' || line.type.type !== 'calculate') continue;
    const node = reading.quietly(() => parseXPathRule(line.row.take('calculation')));
    formulas.set(line, node);
    const knownName = reading.names.get(line.name);
    if (knownName && node) reading.names.set(line.name, { ...knownName, formula: node });
    for (const name of node ? namesIn(node) : []) {
      const others = readers.get(name);
      if (others) others.push(line);
      else readers.set(name, [line]);
    }
  }
  const due = [...formulas.keys()];
  for (let line = due.pop(); line; line = due.pop()) {
    const { name, repeat } = line;
    if (reading.names.get(name)?.leftOut) continue;
    const node = formulas.get(line);
    const scope = { names: reading.names, self: name, repeat };
    if (node && reading.quietly(() => writeValueExpression(node, scope)) !== null) continue;
    reading.names.set(name, { kind: 'calculated', repeat, leftOut: true });
    due.push(...(readers.get(name) ?? []));
  }
}

function namesIn(node: XPathNode): Set<string> {
  const names = new Set<string>();
  const open = [node];
  for (let one = open.pop(); one; one = open.pop())
    if (one.is === 'name') names.add(one.name);
    else if (one.is === 'call') open.push(...one.args);
    else if (one.is === 'binary') open.push(one.left, one.right);
  return names;
}
