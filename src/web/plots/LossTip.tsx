interface LossTipProps {
  /** Of the hair line, and the plot's width, so that the tip stays inside. */
  x: number;
  width: number;
  title: string;
  readings: readonly { readonly key: string; readonly label: string; readonly color: string; readonly text: string }[];
}

const MOST = 12;

/** What the curves say at the hair line. */
export function LossTip({ x, width, title, readings }: LossTipProps) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 max-w-72 rounded-md border border-line2 bg-surface px-2 py-1 text-xs shadow-pop"
      style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}
    >
      <p className="font-medium">{title}</p>
      {readings.slice(0, MOST).map(({ key, label, color, text }) => (
        <p key={key} className="flex items-center gap-1.5">
          <span className="keeps-color size-2 shrink-0 rounded-full" style={{ background: color }} />
          <span className="min-w-0 flex-1 truncate text-soft">{label}</span>
          <span className="font-mono text-2xs">{text}</span>
        </p>
      ))}
      {readings.length > MOST && <p className="text-soft">and {readings.length - MOST} more</p>}
    </div>
  );
}
