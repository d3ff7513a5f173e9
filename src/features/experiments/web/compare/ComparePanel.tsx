import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import {
  type Candidate,
  findRecommended,
  toChoices,
  toRecommendedWords,
} from '#features/experiments/shared/candidates.ts';
import { CandidateExport } from '#features/experiments/web/CandidateExport.tsx';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { type TreeNode, nodeLabel } from '#core/contract/projectReader.ts';
import { matchesBrush, parseBrush, toBrushList } from '#ui/plots/scales/brush.ts';
import { BrushChips } from '#ui/plots/BrushChips.tsx';
import { isOnlyDifferences } from '#features/experiments/web/compareState/compareSet.ts';
import { toPlotChoice } from '#features/experiments/web/compareState/changePlot.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toFieldTip } from '#features/experiments/shared/fieldLabels.ts';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { toParameters, type Parameter } from '#features/experiments/shared/parameters.ts';
import { toCompareTable, type HiddenRow } from './comparison.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { toCandidateTitle, toReasonSubject } from '#features/experiments/shared/trainingWords.ts';
import type { ReadyColumn, CompareColumn } from './compareColumns.ts';
import { toColumnNames } from './columnNames.ts';
import { CompareTable } from './CompareTable.tsx';
import { ComparePrint } from './ComparePrint.tsx';
import { CompareToolbar } from './CompareToolbar.tsx';
import { reduceSort, toOrderText, toShownOrder, toUsualOrder, type ColumnSort } from './columnOrder.ts';
import { LEAST_DRAWN } from '#features/experiments/web/compareState/plotChoice.ts';
import { findPlotLack } from './plotLack.ts';
import { useComparison } from './useComparison.ts';
import { FoldedText } from '#ui/kit/FoldedText.tsx';
import { NotGiven } from '#ui/kit/NotGiven.tsx';
import { toCellText } from './cellText.ts';
import { Columns3 } from 'lucide-react';
import { recommendationQuery } from '#ui/client/queries.ts';
import { toBesideRuns } from '#features/experiments/web/compareState/compareWithRuns.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface CompareReasonProps {
  /** The hovered candidate, else the baseline. */
  candidate: Candidate;
}

/** Why the service recommends a candidate, or why a run failed. */
function CompareReason({ candidate }: CompareReasonProps) {
  const name = toReasonSubject(candidate);
  const reason = candidate.reason_for_recommendation?.trim() ? candidate.reason_for_recommendation : null;
  return (
    <div className="min-h-14 border-t border-line px-3 py-2 text-soft">
      {candidate.failure !== null && (
        <p className="mb-1">
          <span className="font-semibold text-error">{name} failed:</span>{' '}
          <FoldedText key={candidate.key} text={candidate.failure} name={`failure of ${name}`} />
        </p>
      )}
      {(reason !== null || (candidate.failure === null && candidate.origin !== 'run')) && (
        <p>
          <span className="font-medium text-ink">{reason === null ? name : `Why ${name}`}:</span>{' '}
          {reason === null ? 'No reason given.' : <FoldedText key={name} text={reason} name={`reason for ${name}`} />}
        </p>
      )}
    </div>
  );
}

interface HiddenRowsProps {
  hidden: readonly HiddenRow[];
  /** Candidates that are shown. */
  count: number;
  onShow: () => void;
}

/** Further rows are only counted: nobody reads so many in a line. */
const MOST = 12;

function HiddenValue({ row: { parameter, value } }: { row: HiddenRow }) {
  return value === null ? <NotGiven /> : toCellText(parameter, value).text;
}

/** The rows that are hidden because all candidates have the same value, with that value. */
function HiddenRows({ hidden, count, onShow }: HiddenRowsProps) {
  if (hidden.length === 0) return null;
  const lead =
    count === 1
      ? 'Only one candidate, so there are no differences'
      : `${hidden.length} equal ${hidden.length === 1 ? 'row' : 'rows'} hidden`;
  return (
    <p className="border-t border-line px-3 py-1.5 text-sm text-soft">
      {lead}:{' '}
      {hidden.slice(0, MOST).map((row, index) => (
        <span key={row.parameter.id}>
          {index > 0 && ' · '}
          <span title={toFieldTip(row.parameter)}>{row.parameter.label}</span>{' '}
          <span className="text-ink">
            <HiddenValue row={row} />
          </span>
          {row.isOfRuns && ' for runs'}
        </span>
      ))}
      {hidden.length > MOST && ` and ${hidden.length - MOST} more`}{' '}
      <button
        type="button"
        onClick={onShow}
        className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
      >
        Show all rows
      </button>
    </p>
  );
}

interface CompareEmptyProps {
  snapshot: TreeNode | null;
}

/** Nothing is compared yet: says how to add candidates, and offers what the service recommends for the snapshot. */
function CompareEmpty({ snapshot }: CompareEmptyProps) {
  const { data } = useQuery({ ...recommendationQuery(snapshot?.id ?? ''), enabled: snapshot !== null });
  const choices = data && snapshot ? toChoices(data) : null;
  const keys = choices ? findRecommended(choices).map(({ key }) => key) : [];
  const words = choices && toRecommendedWords(choices);
  const { refs, runs } = snapshot ? toBesideRuns(snapshot, keys) : { refs: [], runs: 0 };
  const action = (
    <>
      {keys.length > 0 && (
        <Button variant="primary" onClick={() => updateUrl({ compare: refs, baseline: null, order: null })}>
          Compare {formatCounted(keys.length, 'recommended setting')}
          {runs > 0 && ` with ${formatCounted(runs, 'run')}`}
        </Button>
      )}
      <Button onClick={() => updateUrl({ tab: 'recommendations' })}>Go to Recommendations</Button>
      <Button onClick={() => updateUrl({ tab: 'experiments' })}>Go to Runs</Button>
    </>
  );
  return (
    <EmptyState icon={<Columns3 aria-hidden size={20} />} title="Nothing to compare yet" action={action}>
      Tick boxes in Recommendations or Runs, or use a node’s menu in the project tree. Runs and proposals of several
      snapshots can be compared together. The link of this page keeps your choice.
      {snapshot && words !== null && ` For ${nodeLabel(snapshot)} the service recommends ${words}.`}
    </EmptyState>
  );
}

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

type ComparePlotProps = Parameters<typeof ComparePlots>[0] & {
  /** Those without a candidate included. */
  all: readonly CompareColumn[];
};

/** The chosen plot, or why there is none. */
function ComparePlot({ all, ...props }: ComparePlotProps) {
  const { kind } = props.choice;
  const lack = findPlotLack(all, kind);
  if (lack !== null) return <p className="border-t border-line px-3 py-2 text-soft">{lack}</p>;
  if (kind === 'none' || props.columns.length < LEAST_DRAWN[kind]) return null;
  return (
    <div className="border-t border-line px-3 py-2 [&_figure]:border-0">
      <Suspense fallback={<Skeleton rows={6} className="h-56" />}>
        <ComparePlots {...props} />
      </Suspense>
    </div>
  );
}

/** The plot's selection: the axes that it is on, and the refs outside it. */
function useBrush(columns: readonly ReadyColumn[], parameters: readonly Parameter[]) {
  const { brush: entries } = useUrlState();
  return useMemo(() => {
    const brush = parseBrush(entries);
    const axes = toParameterAxes(parameters);
    const byId = new Map(axes.map((axis) => [axis.id, axis]));
    const isInside = (column: ReadyColumn): boolean => matchesBrush(brush, (id) => byId.get(id)?.read(column));
    return {
      brush,
      axes: axes.filter(({ id }) => brush.has(id)),
      faded: new Set(columns.filter((column) => !isInside(column)).map(({ ref }) => ref)),
    };
  }, [entries, columns, parameters]);
}

/** The axes that the plot's selection is on, each to be cleared. */
function CompareBrush({ brush, axes }: Pick<ReturnType<typeof useBrush>, 'brush' | 'axes'>) {
  if (axes.length === 0) return null;
  return (
    <div className="border-t border-line px-3 py-2">
      <BrushChips
        brush={brush}
        columns={axes.map(({ id, label, kind }) => ({ id, label, isMeasure: kind === 'number' }))}
        onBrush={(next) => updateUrl({ brush: toBrushList(next) }, { replace: true })}
      />
    </div>
  );
}

const setOrder = (next: ColumnSort | null): void => updateUrl({ order: toOrderText(next) }, { replace: true });

interface ComparisonProps {
  project: TreeNode;
  /** As the address lists them, at least one. */
  columns: readonly CompareColumn[];
}

/** What is compared: plot, table, and what neither shows. */
function Comparison({ project, columns }: ComparisonProps) {
  const url = useUrlState();
  const isRate = useIsRate();
  const [hovered, setHovered] = useState<string | null>(null);
  const isPrinting = usePrinting();
  const usual = useMemo(() => toUsualOrder(columns), [columns]);
  const ready = useMemo(() => usual.filter((column): column is ReadyColumn => column.kind === 'ready'), [usual]);
  const candidates = useMemo(() => ready.map(({ candidate }) => candidate), [ready]);
  const naming = useMemo(() => toColumnNames(columns), [columns]);
  const parameters = useMemo(() => toParameters(candidates, isRate), [candidates, isRate]);
  const table = useMemo(
    () => toCompareTable(candidates, url.baseline, isOnlyDifferences(url), parameters),
    [candidates, parameters, url],
  );
  const { brush, axes, faded } = useBrush(ready, parameters);

  const baseline = table.baseline?.key ?? null;
  const { ordered, sort, said } = toShownOrder(url.order, { columns, usual, baseline, parameters });
  const inside = ordered.flatMap((column) =>
    column.kind === 'ready' && !faded.has(column.ref) ? [column.candidate] : [],
  );
  const hasLosses = ready.some(({ losses }) => losses.length > 0);
  const choice = toPlotChoice(url.plot, hasLosses || columns.some((column) => column.kind === 'loading'));
  const explained = ready.find(({ ref }) => ref === hovered)?.candidate ?? table.baseline;
  // The place of the reasons is there if any candidate has one, so that pointing at a column moves nothing.
  const hasReasons = candidates.some(({ origin, failure }) => origin !== 'run' || failure !== null);
  const pointed = { hovered, onHover: setHovered };
  return (
    <>
      <CompareToolbar
        count={columns.length}
        columns={ready}
        naming={naming}
        baseline={baseline}
        order={said}
        onOrderClear={() => setOrder(null)}
        kind={choice.kind}
        hasLosses={hasLosses}
        exportMenu={
          <CompareExport candidates={inside} isCut={faded.size > 0} project={project} baseline={table.baseline} />
        }
      />
      <CompareBrush {...{ brush, axes }} />
      <ComparePlot all={columns} columns={ready} names={naming.names} {...{ choice, parameters, faded }} {...pointed} />
      {isPrinting ? (
        <ComparePrint columns={ordered} {...{ naming, table, faded }} />
      ) : (
        <CompareTable
          columns={ordered}
          onSort={(id) => setOrder(reduceSort(sort, id))}
          {...{ naming, table, sort, faded }}
          {...pointed}
        />
      )}
      <HiddenRows
        hidden={table.hidden}
        count={ready.length}
        onShow={() => updateUrl({ diff: '0' }, { replace: true })}
      />
      <CompareNotes columns={columns} />
      {explained && hasReasons && <CompareReason candidate={explained} />}
    </>
  );
}

interface ComparePanelProps {
  /** The project's tree, in which compared experiments are looked up. */
  project: TreeNode;
  /** The snapshot nearest to the selected node; an empty compare offers its recommendation. null: none. */
  snapshot: TreeNode | null;
}

/** The whole Compare tab. The address holds the compared set. The panel scrolls with the tab and has no fixed height. */
export function ComparePanel({ project, snapshot }: ComparePanelProps) {
  const { compare } = useUrlState();
  const columns = useComparison(project, compare, snapshot?.id ?? null);
  const isEmpty = columns.length === 0;
  // One element for both: the focus stays in it when the last column is taken out, and when that is undone.
  return (
    <section
      aria-label="Compare"
      tabIndex={-1}
      className={
        isEmpty ? 'outline-none' : '@container min-w-0 rounded-[10px] border border-line bg-surface outline-none'
      }
    >
      {isEmpty ? <CompareEmpty snapshot={snapshot} /> : <Comparison project={project} columns={columns} />}
    </section>
  );
}
