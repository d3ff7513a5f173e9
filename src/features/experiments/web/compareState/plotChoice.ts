// The meaning of `plot` in the address: `none`, `parallel`, `scatter:<x>:<y>` with escaped axis ids, `loss`. Pure.
import { toShortName } from '#core/contract/shortName.ts';

export type PlotChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'parallel' }
  | { readonly kind: 'loss' }
  /** null: the plot chooses. */
  | { readonly kind: 'scatter'; readonly x: string | null; readonly y: string | null };

/** How many runs each plot needs: a loss plot needs only one curve. */
export const LEAST_DRAWN: Readonly<Record<PlotChoice['kind'], number>> = { none: 0, parallel: 2, scatter: 2, loss: 1 };

function decode(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text) : null;
  } catch {
    // A hand-made link with a stray "%".
    return text ?? null;
  }
}

/** `usual`: the plot where the address names none, or an unknown one. */
export function parsePlotChoice(text: string | null, usual: PlotChoice = { kind: 'loss' }): PlotChoice {
  const [kind, x, y] = (text ?? '').split(':');
  if (kind === 'none' || kind === 'loss' || kind === 'parallel') return { kind };
  return kind === 'scatter' ? { kind, x: decode(x), y: decode(y) } : usual;
}

const toEscaped = (axisId: string): string => toShortName(axisId).replaceAll('%', '%25').replaceAll(':', '%3A');

/** The text for the address. */
export function toPlotText(choice: PlotChoice): string {
  if (choice.kind !== 'scatter') return choice.kind;
  return choice.x === null || choice.y === null ? 'scatter' : `scatter:${toEscaped(choice.x)}:${toEscaped(choice.y)}`;
}
