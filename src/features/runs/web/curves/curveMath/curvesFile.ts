// Curves as files. Pure.
import { guardText } from '#core/contract/csvGuard.ts';
import type { Line } from './line.ts';

const quote = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const cell = (text: string): string => quote(guardText(text));

/** A number keeps all its digits; NaN and infinities keep their names. */
const toNumberCell = (value: number): string => cell(String(value));

function toTimeCell(times: Float64Array | null, at: number): string {
  const time = times?.[at] ?? Number.NaN;
  return Number.isFinite(time) ? new Date(time).toISOString() : '';
}

/** One line for each point, in parts: a file of a million points is no one text. */
export function* toCsvParts(lines: readonly Line[], names: ReadonlyMap<string, string>): Generator<string> {
  yield 'run,run_id,metric,step,value,time\n';
  for (const { runId, name, steps, values, times } of lines) {
    const head = `${cell(names.get(runId) ?? runId)},${cell(runId)},${cell(name)}`;
    let part = '';
    for (let at = 0; at < steps.length; at += 1) {
      part += `${head},${toNumberCell(steps[at] ?? 0)},${toNumberCell(values[at] ?? Number.NaN)},${toTimeCell(times, at)}\n`;
    }
    yield part;
  }
}
