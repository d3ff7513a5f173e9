import type { ReactNode } from 'react';

interface CardProps {
  title: ReactNode;
  /** Small text beside the title. */
  note?: ReactNode;
  /** Controls at the right end. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A surface with one bar: title at the left, controls at the right. */
export function Card({ title, note, actions, children }: CardProps) {
  return (
    <div className="min-w-0 rounded-[10px] border border-line bg-surface">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2">
        <h2 className="font-semibold whitespace-nowrap">{title}</h2>
        {note !== undefined && <span className="min-w-0 text-soft">{note}</span>}
        {actions !== undefined && (
          <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">{actions}</div>
        )}
      </div>
      {children}
    </div>
  );
}
