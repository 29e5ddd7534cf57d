/** What a form of XLSForm works out, before the first of its rules is turned: what can not be is named by none. Browser-safe. */
import type { Line } from './lines.ts';
import type { Reading } from './reading.ts';
import { readRule, valueIn } from './to-survey.ts';
import type { Node } from './xpath.ts';

/**
 * What can not be worked out is nothing that another rule could take, and neither is what takes it. Only what names
 * a value is looked at again when that value goes: a chain of thousands is followed once.
 */
export function leaveOut(reading: Reading, lines: Line[]): void {
  const formulas = new Map<Line, Node | null>();
  const readers = new Map<string, Line[]>();
  for (const line of lines) {
    if (line.type.is !== 'plain' || line.type.type !== 'calculate') continue;
    const node = reading.quietly(() => readRule(line.row.take('calculation')));
    formulas.set(line, node);
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
    const around = { names: reading.names, self: name, repeat };
    if (node && reading.quietly(() => valueIn(node, around)) !== null) continue;
    reading.names.set(name, { kind: 'calculated', repeat, leftOut: true });
    due.push(...(readers.get(name) ?? []));
  }
}

function namesIn(node: Node): Set<string> {
  const names = new Set<string>();
  const open = [node];
  for (let one = open.pop(); one; one = open.pop())
    if (one.is === 'name') names.add(one.name);
    else if (one.is === 'call') open.push(...one.args);
    else if (one.is === 'binary') open.push(one.left, one.right);
  return names;
}
