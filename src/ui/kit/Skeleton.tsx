interface SkeletonProps {
  rows?: number;
  className?: string;
}

const WIDTHS = ['w-11/12', 'w-8/12', 'w-10/12', 'w-7/12', 'w-9/12'];

/** Grey rows while content loads. */
export function Skeleton({ rows = 3, className = '' }: SkeletonProps) {
  return (
    <output className={`flex flex-col gap-3 ${className}`}>
      <span className="sr-only">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        <span
          key={row}
          className={`h-4 animate-breathe rounded-md bg-neutral-soft ${WIDTHS[row % WIDTHS.length] ?? ''}`}
        />
      ))}
    </output>
  );
}
