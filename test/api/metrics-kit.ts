/** Parses the text format of Prometheus; throws on a line that does not follow it. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const VALUE = /^([+-]?Inf|nan|-?[\d.]+(e[+-]?\d+)?)$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

export function scraped(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !/^# (HELP|TYPE) /.test(line));
  return lines.map((line) => {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (!name || !VALUE.test(value)) throw new Error(`not a sample: ${line}`);
    return { name, labels: labelsIn(labels), value: Number(value) };
  });
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value = ''] = LABEL.exec(text) ?? [];
    if (!name) throw new Error(`not labels: ${text}`);
    labels[name] = value;
  }
  return labels;
}
