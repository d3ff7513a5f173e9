import type { ReactNode } from 'react';

interface TableFrameProps {
  children: ReactNode;
}

/** Room in which a table wider than its card scrolls sideways, also by keyboard; `cqw` inside is the visible width. */
export function TableFrame({ children }: TableFrameProps) {
  return <div className="@container overflow-x-auto border-t border-line">{children}</div>;
}
