// What a person can do in a plot with axes. The caller keeps the state, and each change comes back to it.
import type { Brush } from '#ui/plots/scales/brush.ts';
import type { ColorChoice } from './useColoring.ts';

export interface PlotControls<Row> {
  readonly brush: Brush;
  /** The brush when a drag ends, or after a key. */
  readonly onBrush: (next: Brush) => void;
  /** Ids of the axes whose scale was switched from its default. */
  readonly log: readonly string[];
  readonly onLogToggle: (axisId: string) => void;
  readonly colors: ColorChoice<Row>;
  readonly hoveredKey: string | null;
  readonly onHover: (key: string | null) => void;
  /** A click on a row's line or point, or Enter. */
  readonly onSelect?: (key: string) => void;
}
