import type { ReactNode } from 'react';

interface TableFrameProps {
  children: ReactNode;
}

/**
 * Room in which a table wider than its card scrolls sideways, also by keyboard; `cqw` inside is the visible width.
 * `relative`: else text for screen readers far to the right would widen the page itself.
 */
export function TableFrame({ children }: TableFrameProps) {
  return <div className="@container relative overflow-x-auto border-t border-line">{children}</div>;
}
