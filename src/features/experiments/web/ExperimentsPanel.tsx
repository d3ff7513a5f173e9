import { FlaskConical, SearchX } from 'lucide-react';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toBrushList, type Brush } from '#ui/plots/scales/brush.ts';
import { BrushChips } from '#ui/plots/BrushChips.tsx';
import { choosePlot, PLOT_OPTIONS, toPlotChoice } from '#features/experiments/web/comparing/changePlot.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toOtherDataNote } from '#features/experiments/shared/otherData.ts';
import { PlotNote } from '#ui/plots/PlotNote.tsx';
import { toBestWords } from '#features/experiments/web/rows/datasetResults.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toChipColumns } from '#features/experiments/web/rows/plotColumns.ts';
import { toEmptyWords } from '#features/experiments/web/rows/rowFilter.ts';
import { toFileColumns, toSelectedRows, type UsualColumns } from '#features/experiments/web/rows/tableState.ts';
import { toValueText } from '#features/experiments/web/rows/valueText.ts';
import { changeCompared } from './changeCompared.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { ColumnFilter } from './ColumnFilter.tsx';
import { ExperimentsTable } from './ExperimentsTable.tsx';
import { ExperimentsToolbar } from './ExperimentsToolbar.tsx';
import { TableHead } from './TableHead.tsx';
import { toTableHeight } from './tableLayout.ts';
import { JobsNotice } from './JobsNotice.tsx';
import { JobsProgress } from './JobsProgress.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { TableExport } from './TableExport.tsx';
import { useComparedRuns } from './useComparedRuns.ts';
import { useExperimentTable } from './useExperimentTable.ts';

interface SameLineProps {
  same: UsualColumns['same'];
}

/** The columns that are hidden because all rows have the same value, with that value. */
function SameLine({ same }: SameLineProps) {
  if (same.length === 0) return null;
  const text = same.map(({ column, value }) => `${column.label} ${toValueText(column.kind, value).text}`).join(', ');
  return <p className="min-w-0 text-sm text-soft">Same for all: {text}</p>;
}

const ExperimentPlots = toLazyPart('The plots', async () => (await import('./ExperimentPlots.tsx')).ExperimentPlots);

interface ExperimentsPanelProps {
  /** From the project to the selected node. The array keeps its identity while nothing in it changes. */
  path: readonly TreeNode[];
  /** Opens models in the playground, one pane each. */
  onTry: (models: readonly string[]) => void;
  /** Serves a run of a folder, to chat with it; null: the runs are the studio's own. */
  onChat: ((runId: string) => void) | null;
  /** Exports runs of a folder as configs; null: the runs are the studio's own. `ids`: the selected runs below the node. */
  renderConfigs: ((ids: readonly string[]) => ReactNode) | null;
  /** Draws the losses of these runs where no job's answer has them; null: the answers have them. */
  renderLosses: ((ids: readonly string[]) => ReactNode) | null;
}

/** About the height of each plot, so the content below doesn't move when the plot loads. */
const PLOT_ROOM = {
  parallel: 'min-h-75',
  scatter: 'min-h-95 @max-[600px]:min-h-103',
  loss: 'min-h-94 @max-[600px]:min-h-108',
} as const;

const PLOT_PENDING = <Skeleton rows={5} className="p-4" />;

const setBrush = (next: Brush): void => updateUrl({ brush: toBrushList(next) }, { replace: true });

/** All experiments below a node: filtered, sorted, grouped, plotted, and selected for the compare. */
export function ExperimentsPanel({ path, onTry, onChat, renderConfigs, renderLosses }: ExperimentsPanelProps) {
  const table = useExperimentTable(path);
  const { url, rows, found, shown, view, ordered, columns, layout, sorts, group, brush, answers } = table;
  const clearFilters = () => {
    table.onType('');
    updateUrl({ brush: [] }, { replace: true });
  };
  const [hoveredKey, setHovered] = useState<string | null>(null);
  const [filter, setFilter] = useState<{ readonly column: ExperimentColumn; readonly anchor: HTMLElement } | null>(
    null,
  );
  const compared = useComparedRuns(url.compare, rows, view);
  const { series } = compared;
  const mixed = useMemo(() => toOtherDataNote(found.map(({ dataset_id }) => dataset_id)), [found]);
  const best = useMemo(() => toBestWords(table.results), [table.results]);
  const comparedCount = useMemo(() => shown.filter(({ id }) => series.has(id)).length, [shown, series]);

  if (rows.length === 0) {
    return (
      <EmptyState icon={<FlaskConical aria-hidden size={20} />} title="No runs here yet">
        Runs belong to fine-tuning jobs. They appear here soon after a job is created.
      </EmptyState>
    );
  }

  const tryModels = ({ id, model_id, problem, tried_base }: ExperimentRow, isWithBase: boolean): void => {
    if (problem === null && model_id !== null)
      onTry(isWithBase && tried_base !== null ? [model_id, tried_base] : [model_id]);
    else onChat?.(id);
  };
  const file = toFileColumns(
    url.columns,
    columns,
    layout.columns.map(({ column }) => column),
  );
  // Until all jobs have answered, a run may still have losses.
  const isRead = !table.isDeferred && answers.pending.size === 0;
  const choice = toPlotChoice(
    url.plot,
    renderLosses !== null || !isRead || rows.some(({ losses }) => losses.length > 0),
  );
  // Until the first job answers, the plot waits: the answer's columns would move the few axes that the tree gives.
  const isFirstRead = !table.isDeferred && table.jobCount > 0 && answers.byId.size === 0 && answers.failed === 0;
  const emptyReason = answers.isHidden
    ? 'This service doesn’t send the hyperparameters of runs.'
    : table.isDeferred
      ? 'The jobs are not loaded yet.'
      : answers.pending.size > 0
        ? 'The jobs are being loaded.'
        : 'No run here has a value.';
  // Late content loads below the table, so rows never move; only a notice that is known at once is above it.
  const jobsNotice = (
    <JobsNotice
      answers={answers}
      jobCount={table.jobCount}
      isDeferred={table.isDeferred}
      onRequest={table.onRequest}
      onRetry={table.onRetry}
      onRequestAll={table.onRequestAll}
    />
  );
  const scrollKey = `experiments ${path.at(-1)?.id ?? ''}`;
  return (
    <section aria-label="Runs" className="@container flex shrink-0 grow flex-col gap-2.5">
      <ExperimentsToolbar
        find={table.typed}
        onFind={table.onType}
        total={rows.length}
        shownCount={shown.length}
        plotSelect={
          <Select label="Plot" isLabelHidden value={choice.kind} options={PLOT_OPTIONS} onChange={choosePlot} />
        }
        columnChooser={
          <ColumnChooser
            columns={columns}
            filled={table.filled}
            usual={table.usual.ids}
            shown={table.shownIds}
            pinned={table.pinnedIds}
            emptyReason={emptyReason}
          />
        }
        exportMenu={
          <TableExport
            what={shown.length === rows.length ? 'all' : `the ${formatCount(shown.length)} shown`}
            toRows={() => ordered}
            file={file}
            disabledReason={shown.length === 0 ? 'No run is shown.' : null}
          />
        }
      />
      {table.isDeferred && jobsNotice}
      <BrushChips brush={brush} columns={toChipColumns(columns)} onBrush={setBrush} />
      {/* Above the plot's room and from the start: rows must not move when the plot comes. */}
      {(choice.kind === 'parallel' || choice.kind === 'scatter') && found.length > 1 && <PlotNote text={mixed} />}
      {choice.kind !== 'none' && found.length >= (choice.kind === 'loss' ? 1 : 2) && (
        <div
          className={
            'rounded-lg border border-line bg-surface px-1 py-2 print:min-h-0 [&_figure]:border-0 ' +
            `${table.isDeferred || answers.isHidden ? '' : PLOT_ROOM[choice.kind]}`
          }
        >
          <Suspense fallback={PLOT_PENDING}>
            {isFirstRead ? (
              PLOT_PENDING
            ) : (
              <ExperimentPlots
                choice={choice}
                renderLosses={renderLosses}
                filled={table.filled}
                isUnread={table.isDeferred}
                rows={found}
                columns={columns}
                brush={brush}
                onBrush={setBrush}
                log={url.log}
                color={url.color}
                series={series}
                hoveredKey={hoveredKey}
                onHover={setHovered}
                onToggle={(id) => changeCompared([id], !series.has(id))}
              />
            )}
          </Suspense>
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchX aria-hidden size={20} />}
          title="No run matches the filters"
          action={<Button onClick={clearFilters}>Clear all filters</Button>}
        >
          {toEmptyWords(rows.length, found.length, brush, columns)}
        </EmptyState>
      ) : (
        <div
          style={toTableHeight(view.length)}
          className={
            'flex h-0 grow flex-col overflow-hidden rounded-lg border border-line bg-surface print:block ' +
            'print:h-auto print:max-h-none! print:overflow-visible'
          }
        >
          <ExperimentsTable
            layout={layout}
            head={
              <TableHead
                layout={layout}
                sorts={sorts}
                filtered={brush}
                chosen={comparedCount === 0 ? 'none' : comparedCount === shown.length ? 'all' : 'some'}
                shownCount={shown.length}
                onSort={table.onSort}
                onFilter={(column, anchor) => setFilter({ column, anchor })}
                onChooseAll={(isIn) =>
                  changeCompared(
                    shown.map(({ id }) => id),
                    isIn,
                  )
                }
              />
            }
            group={group}
            rows={view}
            best={best}
            series={series}
            hoveredKey={hoveredKey}
            scrollKey={scrollKey}
            onHover={setHovered}
            onOpen={({ id }) => selectNode({ id, type: 'experiment' })}
            onToggle={compared.onToggle}
            onExtend={compared.onExtend}
            onFold={table.onFold}
            onTry={tryModels}
            canChat={onChat !== null}
          />
        </div>
      )}
      <SelectionBar
        here={series.size}
        models={compared.models}
        exportMenu={
          <>
            {renderConfigs?.([...series.keys()])}
            <TableExport
              what={`the ${formatCount(series.size)} selected`}
              toRows={() => toSelectedRows(ordered, rows, series)}
              file={file}
            />
          </>
        }
        onTry={onTry}
        onClear={compared.onClear}
      />
      {!table.isDeferred && jobsNotice}
      <JobsProgress answers={answers} jobCount={table.jobCount} />
      {!isFirstRead &&
        url.columns.length === 0 &&
        shown.length > 0 &&
        !(choice.kind === 'parallel' && found.length > 1) && <SameLine same={table.usual.same} />}
      {filter && (
        <ColumnFilter
          column={filter.column}
          columns={columns}
          rows={found}
          brush={brush}
          anchor={filter.anchor}
          onBrush={setBrush}
          onClose={() => setFilter(null)}
        />
      )}
    </section>
  );
}
