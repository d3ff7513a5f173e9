// Changes the plot state in the address: the plot, its axes, its scales. Every feature that draws plots uses these.
import { toShortName } from '#shared/contract/shortName.ts';
import { toPlotText, type PlotChoice } from './plotChoice.ts';
import { readUrl, updateUrl } from './urlState.ts';

/** The plots to choose from, with the same labels everywhere. */
export const PLOT_OPTIONS: readonly { readonly value: PlotChoice['kind']; readonly label: string }[] = [
  { value: 'parallel', label: 'Parallel coordinates' },
  { value: 'scatter', label: 'Scatter' },
  { value: 'loss', label: 'Loss curves' },
  { value: 'none', label: 'No plot' },
];

/** Sets the plot; an unknown value sets the default plot. */
export function choosePlot(value: string): void {
  const kind = PLOT_OPTIONS.find((option) => option.value === value)?.value ?? 'parallel';
  updateUrl({ plot: toPlotText(kind === 'scatter' ? { kind, x: null, y: null } : { kind }) }, { replace: true });
}

export function chooseAxes({ x, y }: { readonly x: string; readonly y: string }): void {
  updateUrl({ plot: toPlotText({ kind: 'scatter', x, y }) }, { replace: true });
}

/** Colours plots by an axis; null: by selection. */
export function chooseColor(axisId: string | null): void {
  updateUrl({ color: axisId === null ? null : toShortName(axisId) }, { replace: true });
}

/** Switches an axis between its two scales. */
export function switchScale(axisId: string): void {
  const { log } = readUrl();
  updateUrl({ log: log.includes(axisId) ? log.filter((id) => id !== axisId) : [...log, axisId] }, { replace: true });
}
