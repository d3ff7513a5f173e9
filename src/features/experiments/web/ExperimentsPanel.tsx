import { FlaskConical } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toBrushList } from '#ui/plots/scales/brush.ts';
import { BrushChips } from '#ui/plots/BrushChips.tsx';
import { toPlotChoice } from '#features/experiments/web/comparing/changePlot.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { formatCount } from '#ui/kit/format.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toChipColumns } from '#features/experiments/web/rows/plotColumns.ts';
import { toFileColumns, toSelectedRows, type UsualColumns } from '#features/experiments/web/rows/tableState.ts';
import { toValueText } from '#features/experiments/web/rows/valueText.ts';
import { ExperimentsTable } from './ExperimentsTable.tsx';
import { ExperimentsToolbar } from './ExperimentsToolbar.tsx';
import { JobsNotice } from './JobsNotice.tsx';
import { JobsProgress } from './JobsProgress.tsx';
import { isFirstRead, RunsPlot } from './RunsPlot.tsx';
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

/** All experiments below a node: filtered, sorted, grouped, plotted, and selected for the compare. */
export function ExperimentsPanel({ path, onTry, onChat, renderConfigs, renderLosses }: ExperimentsPanelProps) {
  const table = useExperimentTable(path);
  const { url, rows, found, shown, view, ordered, columns, layout, answers } = table;
  const [hoveredKey, setHovered] = useState<string | null>(null);
  const compared = useComparedRuns(url.compare, rows, view);
  const { series } = compared;
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
  const isInPlot = choice.kind === 'parallel' && found.length > 1;
  // Late content loads below the table, so rows never move; only a notice that is known at once is above it.
  const jobsNotice = <JobsNotice {...table} />;
  return (
    <section aria-label="Runs" className="@container flex shrink-0 grow flex-col gap-2.5">
      <ExperimentsToolbar
        table={table}
        plot={choice.kind}
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
      <BrushChips
        brush={table.brush}
        columns={toChipColumns(columns)}
        onBrush={(next) => updateUrl({ brush: toBrushList(next) }, { replace: true })}
      />
      <RunsPlot {...{ choice, table, series, hoveredKey, renderLosses }} onHover={setHovered} />
      <ExperimentsTable
        {...{ table, compared, hoveredKey }}
        onHover={setHovered}
        onTry={tryModels}
        scrollKey={`experiments ${path.at(-1)?.id ?? ''}`}
        canChat={onChat !== null}
      />
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
      {!isFirstRead(table) && url.columns.length === 0 && shown.length > 0 && !isInPlot && (
        <SameLine same={table.usual.same} />
      )}
    </section>
  );
}
