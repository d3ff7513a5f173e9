// The verdicts of runs that are looked at, as long as there is room. Those of the last run are kept however large they are:
// its page asks again and again.
import type { VerdictColumn } from './verdictTable.ts';

/** The verdicts of one check on the answers of each model. */
export interface KeptCheck {
  /** Another one for other verdicts. */
  readonly stamp: string;
  readonly columns: ReadonlyMap<number, VerdictColumn>;
}

/** By the id of the check. */
type Checks = ReadonlyMap<string, KeptCheck>;

/** Of a score in a map, measured; a letter takes one. */
const SCORE_BYTES = 53;

function toBytes(checks: Checks): number {
  let bytes = 0;
  for (const { columns } of checks.values())
    for (const { letters, scores } of columns.values()) bytes += letters.length + scores.size * SCORE_BYTES;
  return bytes;
}

export function openKeptVerdicts(maxBytes: number) {
  /** The last one that was read is the last. */
  const runs = new Map<string, { readonly checks: Checks; readonly bytes: number }>();
  return {
    find: (run: string): Checks | undefined => runs.get(run)?.checks,
    keep(run: string, checks: Checks): void {
      runs.delete(run);
      runs.set(run, { checks, bytes: toBytes(checks) });
      let held = [...runs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
      for (const [id, { bytes }] of runs) {
        if (held <= maxBytes || id === run) return;
        held -= bytes;
        runs.delete(id);
      }
    },
  };
}
