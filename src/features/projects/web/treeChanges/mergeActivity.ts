// One list of what happened: changes that the page saw in the tree, and what people did, by the studio's log. Pure.
import type { ActivityEntry as LogEntry } from '#features/access/shared/activity.ts';
import type { ActivityEntry } from './activityState.ts';

export type ActivityLine =
  | { readonly kind: 'tree'; readonly at: number; readonly entry: ActivityEntry }
  | { readonly kind: 'log'; readonly at: number; readonly entry: LogEntry };

/** A page learns of a change by polling, so later than the log. */
const SAME_MS = 120_000;

/** That a node came or went, which the log tells with a name. */
const isToldBy = ({ kind, id, at }: ActivityEntry, log: readonly LogEntry[]): boolean =>
  kind !== 'status' && log.some((other) => other.node?.id === id && Math.abs(Date.parse(other.at) - at) < SAME_MS);

/** Newest first. `changes` and `log` are too; `projectId`: entries about nodes of other projects are left out. */
export function mergeActivity(
  changes: readonly ActivityEntry[],
  log: readonly LogEntry[],
  projectId: string,
): readonly ActivityLine[] {
  const here = log.filter(({ node }) => node === null || node.project_id === projectId);
  return [
    ...changes
      .filter((change) => !isToldBy(change, here))
      .map((entry): ActivityLine => ({ kind: 'tree', at: entry.at, entry })),
    ...here.map((entry): ActivityLine => ({ kind: 'log', at: Date.parse(entry.at), entry })),
  ].toSorted((a, b) => b.at - a.at);
}
