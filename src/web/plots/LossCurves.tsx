import { useMemo, useState } from 'react';
import { Toggle } from '#web/ui/fields/Toggle.tsx';
import { findLossCut, toLossFacts, toLossRange, type LossCut, type LossFacts, type LossSeries } from './lossPoints.ts';
import { formatCounted } from '#web/ui/format.ts';
import { toLossName, toLossText } from './lossLayout.ts';
import { LossArea } from './LossArea.tsx';
import { LossLegend } from './LossLegend.tsx';

interface LossCurvesProps {
  label: string;
  series: readonly LossSeries[];
  hoveredKey?: string | null;
  onHover?: (key: string | null) => void;
  /** Pixels. */
  height?: number;
}

const MOST_LINEAR_RATIO = 100;
const MOST_NAMED = 3;

function toEndText(facts: readonly LossFacts[], isSmooth: boolean): string {
  const text = `End label: ${isSmooth ? 'smoothed loss' : 'loss'} of the final step`;
  return facts.some(({ brokenAt }) => brokenAt !== null) ? `${text}. × marks where a loss is not finite` : text;
}

/** Runs of which all have outliers, such as at their start, need no names. */
function toCutText({ above, points, runs }: LossCut, all: number): string {
  const whose = runs.length < all && runs.length <= MOST_NAMED ? `, of ${runs.join(', ')}` : '';
  return `▲ Cut off: ${formatCounted(points, 'point')} above ${toLossText(above)}${whose}.`;
}

/** Losses over the steps of training, one line for each run. */
export function LossCurves({ label, series, hoveredKey = null, onHover, height = 240 }: LossCurvesProps) {
  const [log, setLog] = useState<boolean | null>(null);
  const [isShare, setShare] = useState(false);
  const [isSmooth, setSmooth] = useState(false);
  const [cutChoice, setCut] = useState<boolean | null>(null);
  const whole = useMemo(() => toLossRange(series), [series]);
  const outliers = useMemo(() => findLossCut(series), [series]);
  const usualMax = outliers?.above ?? whole?.max ?? 0;
  // On a linear scale, all runs beside one that is far lower would be a single flat line.
  const isLog = log ?? (whole !== null && whole.min > 0 && usualMax / whole.min > MOST_LINEAR_RATIO);
  // A logarithmic scale has room for outliers.
  const isCut = cutChoice ?? !isLog;
  const cut = isCut ? outliers : null;
  const range = useMemo(() => (whole && cut ? { ...whole, max: cut.above } : whole), [whole, cut]);
  const facts = useMemo(() => series.map((entry) => ({ ...entry, ...toLossFacts(entry) })), [series]);
  const view = useMemo(() => ({ isLog, isShare, isSmooth }), [isLog, isShare, isSmooth]);
  const say = (loss: number | null) => (loss === null ? 'none' : toLossText(loss));
  const canLog = range !== null && range.min > 0;
  return (
    <figure aria-label={label} className="relative m-0 min-w-0">
      <div className="flex flex-wrap items-center justify-end gap-x-4 px-2 text-sm">
        <span className="mr-auto font-medium">{toLossName(isSmooth)}</span>
        {outliers && <Toggle label="Cut outliers" value={isCut} onChange={setCut} />}
        {canLog && <Toggle label="Log loss" value={isLog} onChange={setLog} />}
        <Toggle label="X axis: % of training" value={isShare} onChange={setShare} />
        <Toggle label="Smooth" value={isSmooth} onChange={setSmooth} />
      </div>
      {range ? (
        <LossArea label={label} series={series} range={range} view={view} hoveredKey={hoveredKey} height={height} />
      ) : (
        <p className="p-4 text-soft">
          {series.length === 0 ? 'There is no loss to show.' : 'No loss is finite: training diverged at once.'}
        </p>
      )}
      {cut && <p className="px-2 pt-1 text-sm text-wait">{toCutText(cut, series.length)}</p>}
      {range && <p className="px-2 pt-1 text-right text-xs text-soft">{toEndText(facts, isSmooth)}</p>}
      <LossLegend series={facts} hoveredKey={hoveredKey} onHover={onHover} />
      <div className="sr-only">
        <table>
          <caption>
            {label}: losses of {series.length} {series.length === 1 ? 'run' : 'runs'}
          </caption>
          <thead>
            <tr>
              {[
                'name',
                'points',
                'training loss of the first step',
                'lowest training loss',
                'training loss of the final step',
                'not finite from step',
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map((entry) => (
              <tr key={entry.key}>
                <th scope="row">{entry.label}</th>
                <td>{entry.points.length}</td>
                <td>{say(entry.first)}</td>
                <td>{say(entry.lowest)}</td>
                <td>{say(entry.last)}</td>
                <td>{entry.brokenAt ?? 'always finite'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
