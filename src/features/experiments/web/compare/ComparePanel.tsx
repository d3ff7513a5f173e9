import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CandidateExport } from '#features/experiments/web/CandidateExport.tsx';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { formatCount } from '#ui/kit/format.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { matchesBrush, parseBrush, toBrushList } from '#ui/plots/scales/brush.ts';
import { BrushChips } from '#ui/plots/BrushChips.tsx';
import { isOnlyDifferences } from '#features/experiments/web/comparing/compareSet.ts';
import { toPlotChoice } from '#features/experiments/web/comparing/changePlot.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toParameters } from '#features/experiments/shared/parameters.ts';
import { toCompareTable } from './comparison.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { toCandidateTitle } from '#features/experiments/shared/trainingWords.ts';
import type { ReadyColumn, CompareColumn } from './compareColumns.ts';
import { toColumnNames } from './columnNames.ts';
import { CompareEmpty } from './CompareEmpty.tsx';
import { CompareTable } from './CompareTable.tsx';
import { ComparePrint } from './ComparePrint.tsx';
import { CompareReason } from './CompareReason.tsx';
import { CompareToolbar } from './CompareToolbar.tsx';
import {
  AS_LISTED,
  parseOrder,
  reduceSort,
  toColumnOrder,
  toOrderText,
  toUsualOrder,
  type ColumnSort,
} from './columnOrder.ts';
import { HiddenRows } from './HiddenRows.tsx';
import { LEAST_DRAWN } from '#features/experiments/web/comparing/plotChoice.ts';
import { findPlotLack } from './plotLack.ts';
import { useComparison } from './useComparison.ts';

interface CompareNotesProps {
  columns: readonly CompareColumn[];
}

const NAMED = 4;

/** Why values of some columns are missing: each reason once. */
function CompareNotes({ columns }: CompareNotesProps) {
  const namesByGap = new Map<string, string[]>();
  for (const column of columns) {
    if (column.kind !== 'ready' || column.gap === null) continue;
    namesByGap.set(column.gap, [...(namesByGap.get(column.gap) ?? []), toCandidateTitle(column.candidate)]);
  }
  return [...namesByGap].map(([gap, names]) => (
    <p key={gap} className="border-t border-line px-3 py-1.5 text-sm text-soft">
      <span className="font-medium text-ink">
        {names.slice(0, NAMED).join(', ')}
        {names.length > NAMED && ` and ${names.length - NAMED} more`}:
      </span>{' '}
      {gap}
    </p>
  ));
}

interface CompareExportProps {
  candidates: readonly Candidate[];
  /** Whether the plot's selection excludes some candidates. */
  isCut: boolean;
  project: TreeNode;
  baseline: Candidate | null;
}

/** Exports the compared candidates. The menus' names say which. */
function CompareExport({ candidates, isCut, project, baseline }: CompareExportProps) {
  const { data: roots } = useQuery(knownRootsQuery());
  const emptyReason = isCut ? 'No candidate is inside the selection.' : 'There is no candidate to copy.';
  return (
    <CandidateExport
      root={project}
      candidates={candidates}
      what={isCut ? `the ${formatCount(candidates.length)} selected` : 'all'}
      isOfFolder={roots?.some(({ id }) => id === project.id) === true}
      baseline={baseline}
      disabledReason={candidates.length === 0 ? emptyReason : null}
    />
  );
}

const ComparePlots = toLazyPart('The plots', async () => (await import('./ComparePlots.tsx')).ComparePlots);

interface ComparePanelProps {
  /** The project's tree, in which compared experiments are looked up. */
  project: TreeNode;
  /** The snapshot nearest to the selected node; an empty compare offers its recommendation. null: none. */
  snapshot: TreeNode | null;
}

/** The whole Compare tab. The address holds the compared set. The panel scrolls with the tab and has no fixed height. */
export function ComparePanel({ project, snapshot }: ComparePanelProps) {
  const url = useUrlState();
  const columns = useComparison(project, url.compare, snapshot?.id ?? null);
  const [hovered, setHovered] = useState<string | null>(null);
  const isPrinting = usePrinting();

  const isListed = url.order === AS_LISTED;
  const usual = useMemo(() => toUsualOrder(columns), [columns]);
  const ready = useMemo(() => usual.filter((column): column is ReadyColumn => column.kind === 'ready'), [usual]);
  const { names, traits } = useMemo(() => toColumnNames(columns), [columns]);
  const parameters = useMemo(() => toParameters(ready.map(({ candidate }) => candidate)), [ready]);
  const table = useMemo(
    () =>
      toCompareTable(
        ready.map(({ candidate }) => candidate),
        url.baseline,
        isOnlyDifferences(url),
        parameters,
      ),
    [ready, parameters, url],
  );
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
  const axes = useMemo(() => toParameterAxes(parameters), [parameters]);
  const brushed = axes.filter(({ id }) => brush.has(id));
  const faded = useMemo(() => {
    const byId = new Map(axes.map((axis) => [axis.id, axis]));
    return new Set(ready.filter((row) => !matchesBrush(brush, (id) => byId.get(id)?.read(row))).map(({ ref }) => ref));
  }, [ready, axes, brush]);

  if (columns.length === 0) {
    return (
      <section aria-label="Compare" tabIndex={-1} className="outline-none">
        <CompareEmpty snapshot={snapshot} />
      </section>
    );
  }
  const baseline = table.baseline?.key ?? null;
  const sort = parseOrder(url.order, parameters);
  const sorted = parameters.find(({ id }) => id === sort?.id) ?? null;
  const setOrder = (next: ColumnSort | null) => updateUrl({ order: toOrderText(next) }, { replace: true });
  const ordered = toColumnOrder(
    isListed ? columns : usual,
    baseline ?? usual[0]?.ref ?? null,
    sorted,
    sort?.isDescending ?? false,
  );
  const inside = ordered.flatMap((column) =>
    column.kind === 'ready' && !faded.has(column.ref) ? [column.candidate] : [],
  );
  const hasLosses = ready.some(({ losses }) => losses.length > 0);
  const choice = toPlotChoice(url.plot, hasLosses || columns.some((column) => column.kind === 'loading'));
  const { kind } = choice;
  const lack = findPlotLack(columns, kind);
  const explained = ready.find(({ ref }) => ref === hovered)?.candidate ?? table.baseline;
  // The place of the reasons is there if any candidate has one, so that pointing at a column moves nothing.
  const hasReasons = ready.some(({ candidate }) => candidate.origin !== 'run' || candidate.failure !== null);
  return (
    <section
      aria-label="Compare"
      tabIndex={-1}
      className="@container min-w-0 outline-none rounded-[10px] border border-line bg-surface"
    >
      <CompareToolbar
        count={columns.length}
        columns={ready}
        names={names}
        baseline={baseline}
        order={isListed ? AS_LISTED : sorted && sort && { name: sorted.name, isDescending: sort.isDescending }}
        onOrderClear={() => setOrder(null)}
        kind={kind}
        hasLosses={hasLosses}
        exportMenu={
          <CompareExport candidates={inside} isCut={faded.size > 0} project={project} baseline={table.baseline} />
        }
      />
      {brushed.length > 0 && (
        <div className="border-t border-line px-3 py-2">
          <BrushChips
            brush={brush}
            columns={brushed.map(({ id, label, kind: of }) => ({ id, label, isMeasure: of === 'number' }))}
            onBrush={(next) => updateUrl({ brush: toBrushList(next) }, { replace: true })}
          />
        </div>
      )}
      {lack !== null && <p className="border-t border-line px-3 py-2 text-soft">{lack}</p>}
      {kind !== 'none' && ready.length >= LEAST_DRAWN[kind] && (
        <div className="border-t border-line px-3 py-2 [&_figure]:border-0">
          <Suspense fallback={<Skeleton rows={6} className="h-56" />}>
            <ComparePlots
              choice={choice}
              columns={ready}
              names={names}
              parameters={parameters}
              faded={faded}
              hovered={hovered}
              onHover={setHovered}
            />
          </Suspense>
        </div>
      )}
      {isPrinting ? (
        <ComparePrint columns={ordered} traits={traits} table={table} faded={faded} />
      ) : (
        <CompareTable
          columns={ordered}
          names={names}
          table={table}
          traits={traits}
          sort={sort}
          onSort={(id) => setOrder(reduceSort(sort, id))}
          faded={faded}
          hovered={hovered}
          onHover={setHovered}
        />
      )}
      <HiddenRows
        hidden={table.hidden}
        count={ready.length}
        onShow={() => updateUrl({ diff: '0' }, { replace: true })}
      />
      <CompareNotes columns={columns} />
      {explained && hasReasons && <CompareReason candidate={explained} />}
    </section>
  );
}
