// Changes the plot state in the address: the plot, its axes, its scales. Every feature that draws plots uses these.
import { toShortName } from '#core/contract/shortName.ts';
import { keepPlot, readKeptPlot } from './keptPlot.ts';
import { parsePlotChoice, toPlotText, type PlotChoice } from './plotChoice.ts';
import { readUrl, updateUrl } from '#ui/address/urlState.ts';

/** The plots to choose from, with the same labels everywhere. */
export const PLOT_OPTIONS: readonly { readonly value: PlotChoice['kind']; readonly label: string }[] = [
  { value: 'loss', label: 'Loss curves' },
  { value: 'parallel', label: 'Parallel plot' },
  { value: 'scatter', label: 'Scatter' },
  { value: 'none', label: 'No plot' },
];

const toKind = (text: string | null): PlotChoice['kind'] | null =>
  PLOT_OPTIONS.find(({ value }) => value === text)?.value ?? null;

/**
 * The plot of the address, else the one that was last chosen in this browser, else loss curves. `canDraw`: whether there are
 * losses; without them curves that nobody chose give way to what stands below.
 */
export function toPlotChoice(text: string | null, canDraw: boolean): PlotChoice {
  const kept = toKind(readKeptPlot());
  const usual: PlotChoice = kept === 'scatter' ? { kind: kept, x: null, y: null } : { kind: kept ?? 'loss' };
  const choice = parsePlotChoice(text, usual);
  return choice.kind === 'loss' && text === null && kept === null && !canDraw ? { kind: 'none' } : choice;
}

/** Sets the plot and remembers it; an unknown value sets loss curves. */
export function choosePlot(value: string): void {
  const kind = toKind(value) ?? 'loss';
  keepPlot(kind);
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
