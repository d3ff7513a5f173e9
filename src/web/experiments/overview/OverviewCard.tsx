import { useId, type ReactNode } from 'react';

interface OverviewCardProps {
  title: string;
  /** What it is about, where several cards have the same title: said beside it, and part of its name. */
  subject?: string;
  /** Small text beside the title. */
  note?: ReactNode;
  children?: ReactNode;
}

/** One answer of the overview: a titled surface. */
export function OverviewCard({ title, subject, note, children }: OverviewCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={subject === undefined ? id : `${id} ${id}-subject`}
      className="min-w-0 rounded-[10px] border border-line bg-surface"
    >
      <div className="flex min-h-10 flex-wrap items-baseline gap-x-3 px-3 py-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {subject !== undefined && (
          <p id={`${id}-subject`} className="line-clamp-3 min-w-0 text-sm text-soft">
            {subject}
          </p>
        )}
        {note !== undefined && <p className="line-clamp-3 min-w-0 text-sm text-soft">{note}</p>}
      </div>
      {children !== undefined && <div className="border-t border-line">{children}</div>}
    </section>
  );
}
