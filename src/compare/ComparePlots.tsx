import { useMemo } from 'react';
import { parseBrush, toBrushList } from '../plots/brush';
import { MOST_CURVES } from '../plots/lossPoints';
import { LossCurves } from '../plots/LossCurves';
import { ParallelCoordinates } from '../plots/ParallelCoordinates';
import { ScatterPlot } from '../plots/ScatterPlot';
import { chooseAxes, chooseColor, switchScale } from '../session/changePlot';
import { parsePlotChoice } from '../session/plotChoice';
import { updateUrl, useUrlState } from '../session/urlState';
import type { Candidate } from '../training/candidates';
import type { Parameter } from '../training/compareTable';
import { toParameterAxes } from '../training/parameterAxes';
import { formatCount } from '../ui/format';
import type { ReadyColumn } from './compareColumns';

interface ComparePlotsProps {
  columns: readonly ReadyColumn[];
  /** What each is called, by ref. */
  names: ReadonlyMap<string, string>;
  parameters: readonly Parameter[];
  hovered: string | null;
  onHover: (ref: string | null) => void;
}

const USUAL_X = 'learning_rate_multiplier';
const USUAL_Y = 'last_loss';

/** The same for all that is only recommended: it colours, but is no axis. */
const STATUS = [{ id: 'status', label: 'Status', kind: 'category', read: ({ candidate }: { readonly candidate: Candidate }) => candidate.status }] as const;

/** The compared candidates as lines, points or loss curves. The brush fades, it takes nothing away. */
export function ComparePlots({ columns, names, parameters, hovered, onHover }: ComparePlotsProps) {
  const url = useUrlState();
  const choice = parsePlotChoice(url.plot);
  const brush = useMemo(() => parseBrush(url.brush), [url.brush]);
  const axes = useMemo(() => toParameterAxes(parameters), [parameters]);
  const rows = useMemo(
    () => columns.map(({ ref, series, candidate }) => ({ key: ref, label: names.get(ref) ?? ref, series, candidate })),
    [columns, names],
  );
  const curves = useMemo(
    () => columns.filter(({ losses }) => losses.length > 0).map(({ ref, series, losses }) => ({ key: ref, label: names.get(ref) ?? ref, series, points: losses })),
    [columns, names],
  );
  const shared = {
    label: 'Compared candidates',
    rows,
    columns: axes,
    brush,
    onBrush: (next: typeof brush) => updateUrl({ brush: toBrushList(next) }, { replace: true }),
    log: url.log,
    onLogToggle: switchScale,
    hoveredKey: hovered,
    onHover,
    colors: { by: url.color, onBy: chooseColor, plain: 'Candidate', more: STATUS },
  };
  switch (choice.kind) {
    case 'none':
      return null;
    case 'parallel':
      return <ParallelCoordinates {...shared} />;
    case 'scatter':
      return (
        <ScatterPlot
          x={choice.x ?? USUAL_X}
          y={choice.y ?? USUAL_Y}
          onAxes={chooseAxes}
          {...shared}
        />
      );
    case 'loss':
      if (curves.length === 0) {
        return <p className="text-soft">None of these has a loss curve: only experiments that were trained have one, and only where the service tells it.</p>;
      }
      return (
        <>
          <LossCurves label="Losses of the compared experiments" series={curves.slice(0, MOST_CURVES)} hoveredKey={hovered} onHover={onHover} />
          {curves.length > MOST_CURVES && (
            <p className="px-2 text-sm text-soft">
              The first {MOST_CURVES} of {formatCount(curves.length)} experiments with losses; take others out to see more.
            </p>
          )}
        </>
      );
    default: {
      const impossible: never = choice;
      return impossible;
    }
  }
}
