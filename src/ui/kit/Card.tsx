import { useId, type ReactNode } from 'react';

interface CardProps {
  title: string;
  /** What it is about, where several cards have the same title: part of its name. */
  subject?: string;
  /** Small text beside the title; null: none yet, but its place is kept, so that nothing moves when it comes. */
  note?: ReactNode;
  /** Controls at the right end. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A titled surface: title at the left, controls at the right, its content below a line. */
export function Card({ title, subject, note, actions, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={subject === undefined ? id : `${id} ${id}-subject`}
      className="min-w-0 rounded-[10px] border border-line bg-surface"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {subject !== undefined && (
          <p id={`${id}-subject`} className="line-clamp-3 min-w-0 text-sm text-soft">
            {subject}
          </p>
        )}
        {note !== undefined && <div className="min-w-0 flex-1 basis-32 text-sm text-soft">{note}</div>}
        {actions !== undefined && (
          <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">{actions}</div>
        )}
      </div>
      {children !== undefined && <div className="border-t border-line">{children}</div>}
    </section>
  );
}
