// State of the experiments table, from the tree, the jobs' answers and the address.
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { parseBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { updateUrl, useUrlState, type UrlState } from '#ui/address/urlState.ts';
import { useTypedText } from '#ui/kit/useTypedText.ts';
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import { toDatasetResults, type DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import {
  toActiveJobIds,
  toJobIds,
  toRows,
  toSources,
  type ExperimentRow,
} from '#features/experiments/web/rows/experimentRows.ts';
import { toTableLayout, type TableLayout } from './tableLayout.ts';
import type { JobAnswers } from '#features/experiments/web/rows/jobAnswers.ts';
import { filterByBrush, filterByText } from '#features/experiments/web/rows/rowFilter.ts';
import {
  parseGroup,
  reduceSort,
  toChosenList,
  toFilledIds,
  toPinnedIds,
  toShownIds,
  toSorts,
  toUsual,
  toUsualSort,
  type Sort,
  type UsualColumns,
} from '#features/experiments/web/rows/tableState.ts';
import { areJobsKnown, MAX_READ_AT_ONCE, useJobAnswers } from './useJobAnswers.ts';
import { useTableRows } from './useTableRows.ts';
import { toFlatRows, toViewRows, type ViewRow } from '#features/experiments/web/rows/viewRows.ts';

const NO_IDS: readonly string[] = [];

export interface ExperimentTableState {
  readonly url: UrlState;
  /** The text filter as it is typed. */
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly rows: readonly ExperimentRow[];
  /** Rows that match the text filter. */
  readonly found: readonly ExperimentRow[];
  /** Rows that match the text filter and the brush, in tree order. */
  readonly shown: readonly ExperimentRow[];
  /** Rows of the table, group heads included. */
  readonly view: readonly ViewRow[];
  /** Experiments in the table's order, those of closed groups included. */
  readonly ordered: readonly ExperimentRow[];
  /** How the runs of each dataset compare. */
  readonly results: readonly DatasetResult[];
  readonly columns: readonly ExperimentColumn[];
  readonly layout: TableLayout;
  readonly filled: ReadonlySet<string>;
  readonly usual: UsualColumns;
  readonly shownIds: readonly string[];
  readonly pinnedIds: readonly string[];
  readonly sorts: readonly Sort[];
  /** `isMulti`: the other columns stay in the sort. */
  readonly onSort: (column: ExperimentColumn, isMulti: boolean) => void;
  readonly group: string | null;
  readonly brush: Brush;
  readonly answers: JobAnswers;
  readonly jobCount: number;
  /** There are many jobs, and nobody has requested them yet. */
  readonly isDeferred: boolean;
  readonly onRequest: () => void;
  readonly onRetry: () => void;
  readonly onRequestAll: () => void;
  readonly onFold: (key: string) => void;
}

function toToggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

export function useExperimentTable(path: readonly TreeNode[]): ExperimentTableState {
  const url = useUrlState();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());

  const sources = useMemo(() => toSources(path), [path]);
  const jobIds = useMemo(() => toJobIds(sources), [sources]);
  const activeIds = useMemo(() => toActiveJobIds(sources), [sources]);
  const client = useQueryClient();
  const [isRequested, setRequested] = useState(() => areJobsKnown(client, jobIds));
  const isDeferred = jobIds.length > MAX_READ_AT_ONCE && !isRequested;
  const { answers, onRetry, onRequestAll } = useJobAnswers(isDeferred ? NO_IDS : jobIds, activeIds);

  const rows = useMemo(() => toRows(sources, answers.byId, answers.pending), [sources, answers]);
  const columns = useMemo(() => toColumns(rows), [rows]);
  const results = useMemo(() => toDatasetResults(rows), [rows]);
  const filled = useMemo(() => toFilledIds(columns, rows), [columns, rows]);
  // Of many jobs the answers come one by one: rows would move with each.
  const isWhole = jobIds.length <= MAX_READ_AT_ONCE && answers.pending.size === 0;
  const usualSorts = useMemo(() => (isWhole ? toUsualSort(results, columns) : []), [columns, isWhole, results]);
  const sorts = useMemo(() => toSorts(url.sort, columns, usualSorts), [url.sort, columns, usualSorts]);
  const group = parseGroup(url.group);

  // Deferred, so typing and dragging stay quick with many rows.
  const [typed, onType] = useTypedText('find');
  const find = useDeferredValue(typed);
  const brushList = useDeferredValue(url.brush);
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
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
  const shown = useMemo(() => filterByBrush(found, parseBrush(brushList), columns), [found, brushList, columns]);

  const table = useTableRows({ rows: shown, columns, sorts, group, shown: shownIds, pinned: pinnedIds });
  const view = useMemo(() => (table.flat ? toFlatRows(table.flat) : toViewRows(table.groups, closed)), [table, closed]);
  const ordered = useMemo(() => table.flat ?? table.groups.flatMap((entry) => entry.rows), [table]);
  const layout = useMemo(() => toTableLayout(table.columns, table.pinnedCount), [table.columns, table.pinnedCount]);
  return {
    url,
    typed,
    onType,
    rows,
    found,
    shown,
    view,
    ordered,
    results,
    columns,
    layout,
    filled,
    usual,
    shownIds,
    pinnedIds,
    sorts,
    onSort: (column, isMulti) =>
      updateUrl({ sort: toChosenList(reduceSort(sorts, column, isMulti), usualSorts) }, { replace: true }),
    group,
    brush,
    answers,
    isDeferred,
    onRetry,
    onRequestAll,
    jobCount: jobIds.length,
    onRequest: () => setRequested(true),
    onFold: (key) => setClosed((last) => toToggled(last, key)),
  };
}
