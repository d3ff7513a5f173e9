// State of the experiments table, from the tree, the jobs' answers and the address.
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { parseBrush } from '#ui/plots/scales/brush.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { useTypedText } from '#ui/kit/useTypedText.ts';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import { toDatasetResults } from '#features/experiments/web/rows/datasetResults.ts';
import { toActiveJobIds, toJobIds, toRows, toSources } from '#features/experiments/web/rows/experimentRows.ts';
import { filterByBrush, filterByText } from '#features/experiments/web/rows/rowFilter.ts';
import { groupRows, sortRows } from '#features/experiments/web/rows/tableRows.ts';
import {
  NO_GROUP,
  reduceSort,
  toChosenList,
  toFilledIds,
  toGroup,
  toPinnedIds,
  toShownIds,
  toSorts,
  toUsual,
  toUsualSort,
} from '#features/experiments/web/rows/tableState.ts';
import { groupSeeds, haveSeeds, SEED_GROUP } from '#features/experiments/web/rows/seedGroups.ts';
import { toFlatRows, toViewRows } from '#features/experiments/web/rows/viewRows.ts';
import { toTableLayout } from './tableLayout.ts';
import { areJobsKnown, MAX_READ_AT_ONCE, useJobAnswers } from './useJobAnswers.ts';

const NO_IDS: readonly string[] = [];

export type ExperimentTableState = ReturnType<typeof useExperimentTable>;

function toToggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The rows of the tree below the path's last node, and what their jobs have answered so far. */
function useAnsweredRows(path: readonly TreeNode[]) {
  const sources = useMemo(() => toSources(path), [path]);
  const jobIds = useMemo(() => toJobIds(sources), [sources]);
  const activeIds = useMemo(() => toActiveJobIds(sources), [sources]);
  const client = useQueryClient();
  const [isRequested, setRequested] = useState(() => areJobsKnown(client, jobIds));
  /** There are many jobs, and nobody has requested them yet. */
  const isDeferred = jobIds.length > MAX_READ_AT_ONCE && !isRequested;
  const { answers, onRetry, onRequestAll } = useJobAnswers(isDeferred ? NO_IDS : jobIds, activeIds);
  const rows = useMemo(() => toRows(sources, answers.byId, answers.pending), [sources, answers]);
  const jobCount = jobIds.length;
  /** Until the first job answers, a plot waits: the answer's columns would move the few axes that the tree gives. */
  const isFirstRead = !isDeferred && jobCount > 0 && answers.byId.size === 0 && answers.failed === 0;
  return {
    rows,
    answers,
    jobCount,
    isDeferred,
    isFirstRead,
    onRequest: () => setRequested(true),
    onRetry,
    onRequestAll,
  };
}

export function useExperimentTable(path: readonly TreeNode[]) {
  const url = useUrlState();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const jobs = useAnsweredRows(path);
  const { rows, answers, jobCount } = jobs;
  const isRate = useIsRate();
  const columns = useMemo(() => toColumns(rows, isRate), [rows, isRate]);
  /** How the runs of each dataset compare. */
  const results = useMemo(() => toDatasetResults(rows), [rows]);
  const filled = useMemo(() => toFilledIds(columns, rows), [columns, rows]);
  // Of many jobs the answers come one by one: rows would move with each.
  const isWhole = jobCount <= MAX_READ_AT_ONCE && answers.pending.size === 0;
  const usualSorts = useMemo(() => (isWhole ? toUsualSort(results, columns) : []), [columns, isWhole, results]);
  const sorts = useMemo(() => toSorts(url.sort, columns, usualSorts), [url.sort, columns, usualSorts]);
  const usualGroup = useMemo(() => (isWhole && haveSeeds(rows) ? SEED_GROUP.id : null), [isWhole, rows]);
  const group = toGroup(url.group, usualGroup);

  // Deferred, so typing and dragging stay quick with many rows.
  const [typed, onType] = useTypedText('find');
  const find = useDeferredValue(typed);
  const brushList = useDeferredValue(url.brush);
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
  /** Rows that match the text filter. */
  const found = useMemo(() => filterByText(rows, find), [rows, find]);
  const brushed = [...brush.keys()].join('\n');
  // Depends on which columns are filtered, not on how: columns must not disappear during a drag.
  const usual = useMemo(
    () =>
      toUsual(
        columns,
        found,
        new Set([...brushed.split('\n'), ...sorts.map(({ id }) => id), ...(group === null ? [] : [group])]),
      ),
    [columns, found, brushed, sorts, group],
  );
  const shownIds = useMemo(() => toShownIds(url.columns, columns, usual.ids), [url.columns, columns, usual]);
  const pinnedIds = useMemo(() => toPinnedIds(url.pins, shownIds), [url.pins, shownIds]);
  /** Rows that match the text filter and the brush, in tree order. */
  const shown = useMemo(() => filterByBrush(found, parseBrush(brushList), columns), [found, brushList, columns]);

  const groups = useMemo(() => {
    if (group === SEED_GROUP.id) return groupSeeds(shown, columns, sorts);
    const column = columns.find(({ id }) => id === group);
    return column ? groupRows(shown, columns, sorts, column) : null;
  }, [shown, columns, sorts, group]);
  /** Experiments in the table's order, those of closed groups included. */
  const ordered = useMemo(
    () => groups?.flatMap((each) => each.rows) ?? sortRows(shown, columns, sorts),
    [groups, shown, columns, sorts],
  );
  /** Rows of the table, group heads included. */
  const view = useMemo(
    () => (groups ? toViewRows(groups, { toggled, isFolded: group === SEED_GROUP.id }) : toFlatRows(ordered)),
    [groups, group, ordered, toggled],
  );
  const layout = useMemo(() => toTableLayout(columns, shownIds, pinnedIds), [columns, shownIds, pinnedIds]);
  return {
    ...jobs,
    url,
    /** The text filter as it is typed. */
    typed,
    onType,
    found,
    shown,
    view,
    ordered,
    results,
    columns,
    layout,
    /** Columns in which a row has a value. */
    filled,
    usual,
    shownIds,
    pinnedIds,
    sorts,
    /** `isMulti`: the other columns stay in the sort. */
    onSort: (column: ExperimentColumn, isMulti: boolean) =>
      updateUrl({ sort: toChosenList(reduceSort(sorts, column, isMulti), usualSorts) }, { replace: true }),
    group,
    onGroup: (id: string | null) =>
      updateUrl({ group: id ?? (usualGroup === null ? null : NO_GROUP) }, { replace: true }),
    brush,
    onFold: (key: string) => setToggled((last) => toToggled(last, key)),
  };
}
