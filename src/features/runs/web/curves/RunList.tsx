import { ArrowUpRight } from 'lucide-react';
import { CutText } from '#ui/kit/CutText.tsx';
import { toCurveLook } from '#ui/plots/curveLook.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { formatCount } from '#ui/kit/format.ts';
import type { CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';

interface RunListProps {
  runs: readonly CurveRun[];
  colors: ReadonlyMap<string, number>;
  hidden: ReadonlySet<string>;
  onHidden: (next: ReadonlySet<string>) => void;
  onFront: (run: string | null) => void;
}

/** The runs with their colours; each can be switched off. The run that is pointed at is drawn in front. */
export function RunList({ runs, colors, hidden, onHidden, onFront }: RunListProps) {
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    onHidden(next);
  };
  const shown = runs.filter(({ id }) => !hidden.has(id)).length;
  return (
    <section aria-label="Runs" className="flex min-h-0 flex-col rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-1 border-b border-line py-0.5 pr-1.5 pl-3">
        <h3 className="flex-1 text-sm text-soft">
          {shown === runs.length
            ? `${formatCount(shown)} ${shown === 1 ? 'run' : 'runs'}`
            : `${formatCount(shown)} of ${formatCount(runs.length)} runs`}
        </h3>
        <button
          type="button"
          onClick={() => onHidden(shown === runs.length ? new Set(runs.map(({ id }) => id)) : new Set())}
          className="min-h-6 rounded px-1.5 text-sm text-accent hover:underline print:hidden"
        >
          {shown === runs.length ? 'Hide all' : 'Show all'}
        </button>
      </div>
      <ul
        className={
          'grid max-h-28 min-h-0 grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] content-start overflow-y-auto ' +
          'p-1 @4xl:max-h-[70vh] @4xl:grid-cols-[minmax(0,1fr)]'
        }
      >
        {runs.map(({ id, label }) => (
          <li
            key={id}
            onPointerEnter={() => onFront(id)}
            onPointerLeave={() => onFront(null)}
            className="flex min-h-6 min-w-0 items-center gap-1.5 rounded px-2 hover:bg-accent-soft"
          >
            <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5" title={label}>
              <input
                type="checkbox"
                checked={!hidden.has(id)}
                onChange={() => toggle(id)}
                onFocus={() => onFront(id)}
                onBlur={() => onFront(null)}
                className="size-3.5 shrink-0 accent-accent"
              />
              <svg aria-hidden width={18} height={6} className="shrink-0">
                <path d="M0 3h18" style={toCurveLook(colors.get(id) ?? 0)} strokeWidth={2.5} />
              </svg>
              <span className={`line-clamp-2 ${hidden.has(id) ? 'text-faint' : ''}`}>
                <CutText text={label} />
              </span>
            </label>
            <button
              type="button"
              aria-label={`Open ${label}`}
              title="Open the run"
              onClick={() => selectNode({ id, type: 'experiment' }, 'detail')}
              className="flex size-6 shrink-0 items-center justify-center rounded text-faint hover:text-ink print:hidden"
            >
              <ArrowUpRight aria-hidden size={13} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
