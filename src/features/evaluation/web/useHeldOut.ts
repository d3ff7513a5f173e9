import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toHeldOutRows } from '#features/evaluation/shared/heldOutRows.ts';
import { suggestChecks } from '#features/evaluation/shared/suggestChecks.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { rowsOfferQuery, rowsQuery } from '#ui/client/queries.ts';
import {
  findHeldOutSources,
  HELD_OUT_LIMITS,
  toCutText,
  type HeldOutSource,
} from '#features/evaluation/web/grid/heldOut.ts';
import { formatCount } from '#ui/kit/format.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import { takeHeldOutRows } from './heldOutActions.ts';

export interface HeldOut {
  /** Whether the service gives rows; null: not known yet. */
  readonly isOffered: boolean | null;
  /** The snapshots to choose from; empty where the service doesn't give rows. */
  readonly sources: readonly HeldOutSource[];
  /** The snapshot whose rows are on their way; null: none. */
  readonly loading: string | null;
  readonly take: (source: HeldOutSource) => void;
}

/** "200 rows"; "rows" if the service does not count them. */
export const toSourceCount = ({ rows }: HeldOutSource): string =>
  rows === null ? 'validation rows' : `${formatCount(rows)} validation ${rows === 1 ? 'row' : 'rows'}`;

const showProblem = (reason: string): void => showToast(reason, { tone: 'error', kind: 'validation' });

/** The project's validation rows. `onTaken`: called with whether a check compares them with their expected answers. */
export function useHeldOut(
  project: TreeNode | null,
  models: readonly string[],
  onTaken: (isChecked: boolean) => void,
): HeldOut {
  const client = useQueryClient();
  const { node } = useUrlState();
  const [loading, setLoading] = useState<string | null>(null);
  const wanted = models.join('\n');
  const sources = useMemo(
    () => findHeldOutSources(project, { node, models: wanted.split('\n') }),
    [project, node, wanted],
  );
  // One snapshot stands for all: a service gives the rows of each, or has no such endpoint.
  const { data: isOffered = null, isError } = useQuery(rowsOfferQuery(sources[0]?.snapshotId ?? ''));
  const load = async (source: HeldOutSource): Promise<void> => {
    const { snapshotId, label } = source;
    const read = await fetchKept(client, rowsQuery(snapshotId, 'validation', HELD_OUT_LIMITS));
    if (read === null) return showProblem(`${label} has no rows here. Import them from a file instead.`);
    const { lines, isWhole } = read;
    const { rows, problems } = toHeldOutRows(lines);
    if (rows.length === 0)
      return showProblem(`No validation row of ${label} can be sent: ${problems[0]?.message ?? 'there are none.'}`);
    const reason = await takeHeldOutRows(label, rows);
    if (reason !== null) return showProblem(`The validation rows were not taken. ${reason}`);
    onTaken(suggestChecks(rows).check !== null);
    const unread = lines.length - rows.length;
    const notes = [
      isWhole ? '' : toCutText(lines.length, source),
      unread > 0
        ? `${formatCount(unread)} of ${formatCount(lines.length)} validation rows can’t be sent and are left out.`
        : '',
    ].filter(Boolean);
    if (notes.length > 0) showProblem(notes.join(' '));
  };
  const take = (source: HeldOutSource): void => {
    setLoading(source.snapshotId);
    void load(source)
      .catch((error: unknown) =>
        showProblem(
          `The rows of ${source.label} could not be loaded: ${error instanceof Error ? error.message : String(error)} ` +
            'Try again.',
        ),
      )
      .finally(() => setLoading(null));
  };
  const isRefused = isError || (project !== null && sources.length === 0);
  return { isOffered: isRefused ? false : isOffered, sources: isOffered === true ? sources : [], loading, take };
}
