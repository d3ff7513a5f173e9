import type { ReactNode } from 'react';

interface TableFrameProps {
  /** What the table is, for screen readers. */
  caption: string;
  /** The rows of the table's head. */
  head: ReactNode;
  /** The bodies of the table. */
  children: ReactNode;
}

/**
 * A table that scrolls sideways if it is wider than its card, also by keyboard. Inside, `100cqw` is the visible width.
 * `relative`: otherwise screen-reader text far to the right would widen the page.
 */
export function TableFrame({ caption, head, children }: TableFrameProps) {
  return (
    <div className="@container relative overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>{head}</thead>
        {children}
      </table>
    </div>
  );
}
