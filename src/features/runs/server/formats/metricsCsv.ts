// `metrics.csv` of Lightning's loggers: a column for each metric, a row for each call, and the file is written anew when a
// column is added.
import type { FactSource } from '#features/runs/server/evidence.ts';
import type { MetricLog } from './metricLog.ts';
import { numberOf } from './pythonDict.ts';

const CELL = /"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/gy;

function toCells(line: string): readonly string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < line.length || line.endsWith(',')) {
    const found = CELL.exec(line);
    if (!found) break;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (CELL.lastIndex >= line.length && !found[0].endsWith(',')) break;
    if (CELL.lastIndex >= line.length) {
      cells.push('');
      break;
    }
  }
  return cells;
}

/**
 * Adds all values but those of `counters`. `toStep`: the optimizer's step of what the column `step` counts.
 */
export function addMetricsCsv(
  log: MetricLog,
  content: Uint8Array,
  source: FactSource,
  given: { readonly counters?: ReadonlySet<string>; readonly toStep?: (step: number) => number } = {},
): void {
  const [head = '', ...lines] = new TextDecoder().decode(content).split(/\r?\n/);
  // The last line may be half written.
  const rows = lines.slice(0, -1);
  const names = toCells(head);
  const stepAt = names.indexOf('step');
  if (stepAt === -1) return;
  for (const line of rows) {
    const cells = toCells(line);
    const step = numberOf(cells[stepAt]);
    if (step === null || cells.length !== names.length) continue;
    for (const [at, name] of names.entries()) {
      const value = at === stepAt || given.counters?.has(name) ? null : numberOf(cells[at]);
      if (value !== null) log.add(name, value, given.toStep?.(step) ?? step, null, source);
    }
  }
}
