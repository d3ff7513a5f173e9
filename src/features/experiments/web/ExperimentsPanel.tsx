import { FlaskConical, Columns3, ListX, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toBrushList } from '#ui/plots/scales/brush.ts';
import { BrushChips } from '#ui/plots/BrushChips.tsx';
import { toPlotChoice } from '#features/experiments/web/compareState/changePlot.ts';
import { updateUrl, MAX_MODELS, useUrlState } from '#ui/address/urlState.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { formatCount } from '#ui/kit/format.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toChipColumns } from '#features/experiments/web/rows/plotColumns.ts';
import {
  toFileColumns,
  toSelectedRows,
  type UsualColumns,
  type FileColumns,
} from '#features/experiments/web/rows/tableState.ts';
import { toValueText } from '#features/experiments/web/rows/valueText.ts';
import { ExperimentsTable } from './ExperimentsTable.tsx';
import { ExperimentsToolbar } from './ExperimentsToolbar.tsx';
import { JobsNotice } from './JobsNotice.tsx';
import { RunsPlot } from './RunsPlot.tsx';
import { useComparedRuns } from './useComparedRuns.ts';
import { useExperimentTable } from './useExperimentTable.ts';
import type { JobAnswers } from '#features/experiments/web/rows/jobAnswers.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { notesQuery } from '#features/notes/web/noteQueries.ts';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';

interface JobsProgressProps {
  answers: JobAnswers;
  jobCount: number;
}

const BAR =
  'keeps-color h-1.5 w-32 appearance-none overflow-hidden rounded-full bg-neutral-soft ' +
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-neutral-soft [&::-webkit-progress-value]:bg-accent';

/** How many jobs have answered; empty once all have. It is below the table, so no row moves when it disappears. */
function JobsProgress({ answers, jobCount }: JobsProgressProps) {
  const { size } = answers.pending;
  if (size === 0) return null;
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-2 text-sm text-soft">
      <progress aria-label="Jobs loaded" value={answers.requested - size} max={answers.requested} className={BAR} />
      Loading hyperparameters: {formatCount(answers.requested - size)} of{' '}
      {formatCount(Math.max(answers.requested, jobCount))} jobs
    </div>
  );
}

interface SelectionBarProps {
  /** How many of the compared runs are experiments of this table. */
  here: number;
  /** Models of the compared experiments here that can be tried, each once. */
  models: readonly string[];
  /** Exports the selected experiments of this table. */
  exportMenu: ReactNode;
  onTry: (models: readonly string[]) => void;
  onClear: () => void;
}

/** Actions on the selected experiments. The bar is below the table, so a tick never moves the next row. */
function SelectionBar({ here, models, exportMenu, onTry, onClear }: SelectionBarProps) {
  const { compare } = useUrlState();
  const count = compare.length;
  if (count === 0) return null;
  const offered = models.slice(0, MAX_MODELS);
  const noModel = offered.length === 0 ? 'None of the selected runs here has a model that can be tried.' : null;
  return (
    <div
      data-foot
      className={
        // As far down as the padding of the box around it, so that no text shows below.
        '-bottom-4 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 ' +
        '@min-[480px]:sticky print:hidden'
      }
    >
      <span className="text-soft">
        {formatCount(count)} selected{here < count && `, ${here === 0 ? 'none' : formatCount(here)} of them here`}
      </span>
      <Button variant="primary" size="small" onClick={() => updateUrl({ tab: 'compare' })}>
        <Columns3 aria-hidden size={13} />
        Compare {formatCount(count)}
      </Button>
      <Button
        size="small"
        disabledReason={noModel}
        title={
          models.length > MAX_MODELS
            ? `Opens the first ${MAX_MODELS} of ${formatCount(models.length)}: there is room for no more panes`
            : undefined
        }
        onClick={() => onTry(offered)}
      >
        <Play aria-hidden size={12} />
        Open {offered.length} <span className="@max-[480px]:sr-only">in playground</span>
      </Button>
      {noModel !== null && <span className="min-w-0 text-sm text-soft">{noModel}</span>}
      {here > 0 && (
        // The menu's buttons are taller than the bar's; the margin keeps the bar's height.
        <span className="-my-0.5 inline-flex flex-wrap items-center gap-x-3">
          {exportMenu}
          <Button
            size="small"
            variant="quiet"
            title="Removes the runs of this table from the comparison"
            onClick={onClear}
          >
            <ListX aria-hidden size={14} />
            <span className="@max-[680px]:sr-only">Clear</span>
          </Button>
        </span>
      )}
    </div>
  );
}

interface TableExportProps {
  /** Which rows, such as "all" or "the 2 selected". */
  what: string;
  /** Called when a format is chosen. */
  toRows: () => readonly ExperimentRow[];
  file: FileColumns;
  disabledReason?: string | null;
}

/** Rows of the table as CSV or JSON; the menu says how many, and which columns. */
function TableExport({ what, toRows, file, disabledReason = null }: TableExportProps) {
  const client = useQueryClient();
  // Texts of notes are in the file if something on the page has read them.
  const toTexts = () => {
    const notes = client.getQueryData(notesQuery().queryKey);
    return notes ? new Map([...notes].map(([id, { text }]) => [id, text] as const)) : null;
  };
  return (
    <ExportMenu
      // The menu reads the names of its formats once, so other names need a new menu.
      key={file.words}
      copyLabel={`Copy ${what} as`}
      downloadLabel={`Download ${what} as`}
      toInput={() => ({ columns: file.columns, rows: toRows(), texts: toTexts() })}
      load={async () => (await import('#features/experiments/web/rows/tableFormats.ts')).toTableFormats(file.words)}
      disabledReason={disabledReason}
    />
  );
}

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
      {!table.isFirstRead && url.columns.length === 0 && shown.length > 0 && !isInPlot && (
        <SameLine same={table.usual.same} />
      )}
    </section>
  );
}
