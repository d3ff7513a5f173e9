import { useId, type ReactNode } from 'react';

interface CardProps {
  title: string;
  /** Small text beside the title. */
  note?: ReactNode;
  /** A control at the end of the title's line. */
  control?: ReactNode;
  children: ReactNode;
}

/** A titled surface above the rows. */
export function Card({ title, note, control, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-[10px] border border-line bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line px-3 py-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {/* It has its place while it is empty, so that nothing moves when it comes. */}
        <p className="min-w-0 flex-1 basis-32 truncate text-sm text-soft">{note}</p>
        {control && <div>{control}</div>}
      </div>
      <div className="p-3">{children}</div>
    </section>
  );
}
