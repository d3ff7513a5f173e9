// The runs below a node as curves know them.
import { useMemo } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import type { CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';
import {
  toPlotNames,
  toRows,
  toSources,
  type ExperimentSource,
} from '#features/experiments/web/rows/experimentRows.ts';
import { toRunRef } from '#ui/address/runRefs.ts';
import { useUrlState } from '#ui/address/urlState.ts';

const NO_JOBS: ReadonlyMap<string, null> = new Map();
const NO_IDS: ReadonlySet<string> = new Set();

/** The names of runs in plots, by id. */
export const toRunNames = (sources: readonly ExperimentSource[]): ReadonlyMap<string, string> =>
  toPlotNames(toRows(sources, NO_JOBS, NO_IDS));

/** `compare`: the compared set, whose places give colours. */
export function toCurveRuns(sources: readonly ExperimentSource[], compare: readonly string[]): readonly CurveRun[] {
  const places = new Map(compare.map((ref, place) => [ref, place]));
  const names = toRunNames(sources);
  return sources.map(({ node }) => ({
    id: node.id,
    label: names.get(node.id) ?? node.id,
    isActive: isActiveStatus(node.status),
    chosenPlace: places.get(toRunRef({ kind: 'experiment', experiment_id: node.id })) ?? null,
  }));
}

/** `path`: from the project to the node. */
export function useCurveRuns(path: readonly TreeNode[]): readonly CurveRun[] {
  const { compare } = useUrlState();
  return useMemo(() => toCurveRuns(toSources(path), compare), [path, compare]);
}
