import { TriangleAlert } from 'lucide-react';
import { toCurveLook } from './curveLook.ts';
import { toLossText } from './lossLayout.ts';

interface LegendEntry {
  readonly key: string;
  readonly label: string;
  readonly series: number | null;
  readonly brokenAt: number | null;
  readonly lastFinite: number | null;
}

interface LossLegendProps {
  series: readonly LegendEntry[];
  hoveredKey: string | null;
  onHover: ((key: string | null) => void) | undefined;
}

/** Names of the lines; hovering a name brings its line to the front. */
export function LossLegend({ series, hoveredKey, onHover }: LossLegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5 px-2 pt-1 text-xs">
      {series.map(({ key, label, series: place, brokenAt, lastFinite }) => (
        <li
          key={key}
          onPointerEnter={() => onHover?.(key)}
          onPointerLeave={() => onHover?.(null)}
          className={`flex min-w-0 max-w-full flex-wrap items-center gap-x-1.5 ${hoveredKey === key ? 'text-ink' : 'text-soft'}`}
        >
          <svg aria-hidden width={18} height={6} className="shrink-0">
            <path d="M0 3h18" style={toCurveLook(place)} strokeWidth={2.5} />
          </svg>
          <span className="truncate">{label}</span>
          {brokenAt !== null && (
            <span className="inline-flex shrink-0 items-center gap-0.5 text-bad">
              <TriangleAlert aria-hidden size={11} /> not finite from step {brokenAt}
              {lastFinite !== null && `; last finite loss ${toLossText(lastFinite)}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
