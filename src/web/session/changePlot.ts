// Changes of what the address says of plots: which one, over which axes, on which scales. Several features draw plots;
// they all change them here.
import { toShortName } from '#shared/contract/shortName.ts';
import { toPlotText, type PlotChoice } from './plotChoice.ts';
import { readUrl, updateUrl } from './urlState.ts';

/** What can be chosen, in the same words everywhere. */
export const PLOT_OPTIONS: readonly { readonly value: PlotChoice['kind']; readonly label: string }[] = [
  { value: 'parallel', label: 'Parallel coordinates' },
  { value: 'scatter', label: 'Scatter' },
  { value: 'loss', label: 'Loss curves' },
  { value: 'none', label: 'No plot' },
];

/** Takes the value of an option; what is no plot gives the usual one. */
export function choosePlot(value: string): void {
  const kind = PLOT_OPTIONS.find((option) => option.value === value)?.value ?? 'parallel';
  updateUrl({ plot: toPlotText(kind === 'scatter' ? { kind, x: null, y: null } : { kind }) }, { replace: true });
}

export function chooseAxes({ x, y }: { readonly x: string; readonly y: string }): void {
  updateUrl({ plot: toPlotText({ kind: 'scatter', x, y }) }, { replace: true });
}

/** Colours plots by an axis; null: by what is selected. */
export function chooseColor(axisId: string | null): void {
  updateUrl({ color: axisId === null ? null : toShortName(axisId) }, { replace: true });
}

/** Switches an axis to its other scale, or back. */
export function switchScale(axisId: string): void {
  const { log } = readUrl();
  updateUrl({ log: log.includes(axisId) ? log.filter((id) => id !== axisId) : [...log, axisId] }, { replace: true });
}
