import { useRef, type ReactNode } from 'react';

interface PlotFigureProps {
  label: string;
  /** Whether it has many controls, so that Tab needs a way past them. */
  isSkippable: boolean;
  children: ReactNode;
}

/** A plot's frame. A button skips its controls by keyboard; it shows while it has the focus and takes no room. */
export function PlotFigure({ label, isSkippable, children }: PlotFigureProps) {
  const end = useRef<HTMLSpanElement>(null);
  return (
    <div className="relative min-w-0">
      <figure aria-label={label} className="m-0">
        {isSkippable && (
          <button
            type="button"
            onClick={() => end.current?.focus()}
            className={
              'pointer-events-none absolute top-0 left-1 z-20 min-h-7 rounded-md border border-line-strong bg-surface ' +
              'px-2.5 text-accent opacity-0 focus:pointer-events-auto focus:opacity-100 print:hidden'
            }
          >
            Skip the plot
          </button>
        )}
        {children}
      </figure>
      {isSkippable && (
        <span ref={end} tabIndex={-1} className="sr-only bottom-0">
          End of the plot
        </span>
      )}
    </div>
  );
}
