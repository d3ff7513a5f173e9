// Which compared experiments' losses are drawn: the first few inside the brush. Pure.
import { MOST_CURVES } from '#web/plots/lossPoints.ts';
import { formatCount, formatCounted } from '#web/ui/format.ts';
import type { ReadyColumn } from './compareColumns.ts';

export interface ComparedLosses {
  readonly columns: readonly ReadyColumn[];
  /** Says which ones are drawn, or why none is; null if all that have losses are drawn. */
  readonly note: string | null;
}

/** `faded`: refs outside the brush. */
export function toComparedLosses(columns: readonly ReadyColumn[], faded: ReadonlySet<string>): ComparedLosses {
  const withLosses = columns.filter(({ losses }) => losses.length > 0);
  if (withLosses.length === 0)
    return {
      columns: withLosses,
      note: 'None of these has a loss curve: only runs have one, and only if the service sends it.',
    };
  const inside = withLosses.filter(({ ref }) => !faded.has(ref));
  const outside = withLosses.length - inside.length;
  const leftOut = `${formatCount(outside)} outside it ${outside === 1 ? 'is' : 'are'} not drawn`;
  if (inside.length === 0) return { columns: inside, note: `No run with losses is inside the selection: ${leftOut}.` };
  const shown = inside.slice(0, MOST_CURVES);
  const where = outside === 0 ? 'runs with losses' : `runs with losses inside the selection; ${leftOut}`;
  if (shown.length < inside.length)
    return {
      columns: shown,
      note: `The first ${MOST_CURVES} of ${formatCount(inside.length)} ${where}. Remove some to see others.`,
    };
  return {
    columns: shown,
    note:
      outside === 0
        ? null
        : `${formatCounted(inside.length, 'run')} with losses ${inside.length === 1 ? 'is' : 'are'} inside ` +
          `the selection; ${leftOut}.`,
  };
}
