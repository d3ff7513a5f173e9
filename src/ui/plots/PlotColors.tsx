import { Select } from '#ui/fields/Select.tsx';
import { NOT_GIVEN } from '#ui/plots/scales/axes.ts';
import './plotColors.css';
import type { Coloring } from './coloring.ts';
import { ScaleSwitch } from './ScaleSwitch.tsx';
import type { ColorState } from './useColoring.ts';

interface PlotColorsProps {
  state: ColorState;
  by: string | null;
  onBy: (id: string | null) => void;
  onLogToggle: (axisId: string) => void;
}

const swatch = (token: string) => ({ backgroundColor: `var(${token})` });

function Legend({
  coloring: { axis, legend, missing },
  onLogToggle,
}: {
  coloring: Coloring;
  onLogToggle: (axisId: string) => void;
}) {
  return (
    <ul
      aria-label={`Colours by ${axis.label}`}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft"
    >
      {legend.kind === 'words' ? (
        legend.entries.map(({ token, text }) => (
          <li key={token} className="inline-flex min-w-0 max-w-56 items-center gap-1.5" title={text}>
            <span aria-hidden className="keeps-color size-2.5 shrink-0 rounded-full" style={swatch(token)} />
            <span className="truncate">{text}</span>
          </li>
        ))
      ) : (
        <li className="inline-flex items-center gap-1.5">
          <span className="inline-flex flex-col">
            <span aria-hidden className="keeps-color flex h-2 overflow-hidden rounded-sm">
              {legend.tokens.map((token) => (
                <span key={token} className={legend.tokens.length === 1 ? 'w-6' : 'w-7'} style={swatch(token)} />
              ))}
            </span>
            <span className="flex justify-between gap-2 font-mono text-2xs leading-tight">
              {legend.labels.map((label, place) => (
                <span key={['low', 'middle', 'high'][place]}>{label}</span>
              ))}
            </span>
          </span>
          {axis.kind === 'number' && legend.labels.length > 1 && (
            <ScaleSwitch
              axis={axis}
              name={`Colours by ${axis.label}`}
              kind="scale"
              onSwitch={() => onLogToggle(axis.id)}
            />
          )}
        </li>
      )}
      {missing > 0 && (
        <li className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 shrink-0 rounded-full border border-dashed border-faint" />
          {NOT_GIVEN} ({missing})
        </li>
      )}
    </ul>
  );
}

/** The choice of what colours the rows, and the legend. */
export function PlotColors({ state: { options, coloring }, by, onBy, onLogToggle }: PlotColorsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2 pb-1">
      <span className="contents print:hidden">
        <Select label="Colour by" value={by ?? ''} options={options} onChange={(id) => onBy(id || null)} />
      </span>
      {coloring ? (
        <Legend coloring={coloring} onLogToggle={onLogToggle} />
      ) : (
        by !== null && (
          <span className="text-xs text-soft">
            No row here has this value, so the colours show “{options[0]?.label}”.
          </span>
        )
      )}
    </div>
  );
}
