// Everything that the experiments table is made of, from the tree, the jobs' answers and the address.
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { parseBrush, type Brush } from '#web/plots/scales/brush.ts';
import { useUrlState, type UrlState } from '#web/session/urlState.ts';
import { useTypedText } from '#web/session/useTypedText.ts';
import type { ExperimentColumn } from '#web/experiments/rows/column.ts';
import { toColumns } from '#web/experiments/rows/columns.ts';
import {
  toActiveJobIds,
  toJobIds,
  toRows,
  toSources,
  type ExperimentRow,
} from '#web/experiments/rows/experimentRows.ts';
import { toTableLayout, type TableLayout } from './tableLayout.ts';
import type { JobAnswers } from '#web/experiments/rows/jobAnswers.ts';
import { filterByBrush, filterByText } from '#web/experiments/rows/rowFilter.ts';
import {
  parseGroup,
  parseSort,
  toFilledIds,
  toPinnedIds,
  toShownIds,
  toUsual,
  type Sort,
  type UsualColumns,
} from '#web/experiments/rows/tableState.ts';
import { areJobsKnown, useJobAnswers } from './useJobAnswers.ts';
import { useTableRows } from './useTableRows.ts';
import { toFlatRows, toViewRows, type ViewRow } from '#web/experiments/rows/viewRows.ts';

/** Up to so many jobs are asked at once; for more a person has to press a button. */
const MAX_ASKED_AT_ONCE = 100;
const NO_IDS: readonly string[] = [];

export interface ExperimentTableState {
  readonly url: UrlState;
  /** The text filter as it is typed, and what changes it. */
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly rows: readonly ExperimentRow[];
  /** What the text filter leaves. */
  readonly found: readonly ExperimentRow[];
  /** What text and brush leave, in tree order. */
  readonly shown: readonly ExperimentRow[];
  /** What stands in the table, groups included. */
  readonly view: readonly ViewRow[];
  /** The same without groups, those of closed ones included. */
  readonly ordered: readonly ExperimentRow[];
  readonly columns: readonly ExperimentColumn[];
  readonly layout: TableLayout;
  readonly filled: ReadonlySet<string>;
  readonly usual: UsualColumns;
  readonly shownIds: readonly string[];
  readonly pinnedIds: readonly string[];
  readonly sorts: readonly Sort[];
  readonly group: string | null;
  readonly brush: Brush;
  readonly answers: JobAnswers;
  readonly jobCount: number;
  /** The jobs are many, and nobody has asked for them yet. */
  readonly isHeld: boolean;
  readonly onAsk: () => void;
  readonly onRetry: () => void;
  readonly onAskAll: () => void;
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
  const [isAsked, setAsked] = useState(() => areJobsKnown(client, jobIds));
  const isHeld = jobIds.length > MAX_ASKED_AT_ONCE && !isAsked;
  const { answers, onRetry, onAskAll } = useJobAnswers(isHeld ? NO_IDS : jobIds, activeIds);

  const rows = useMemo(() => toRows(sources, answers.byId, answers.pending), [sources, answers]);
  const columns = useMemo(() => toColumns(rows), [rows]);
  const filled = useMemo(() => toFilledIds(columns, rows), [columns, rows]);
  const sorts = useMemo(() => parseSort(url.sort, columns), [url.sort, columns]);
  const group = parseGroup(url.group);

  // Typing and dragging stay quick however many rows there are: the table follows as soon as there is time.
  const [typed, onType] = useTypedText('find');
  const find = useDeferredValue(typed);
  const brushList = useDeferredValue(url.brush);
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
  const found = useMemo(() => filterByText(rows, find), [rows, find]);
  const brushed = [...brush.keys()].join('\n');
  // Only which columns are filtered matters, not how: what a drag leaves must not take columns away under it.
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
    columns,
    layout,
    filled,
    usual,
    shownIds,
    pinnedIds,
    sorts,
    group,
    brush,
    answers,
    isHeld,
    onRetry,
    onAskAll,
    jobCount: jobIds.length,
    onAsk: () => setAsked(true),
    onFold: (key) => setClosed((last) => toToggled(last, key)),
  };
}
