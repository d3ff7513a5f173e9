import type { ReactNode } from 'react';

interface SimpleTableProps {
  /** What the table holds, for screen readers. */
  caption?: string;
  /** `hidden`: for screen readers alone. */
  heads: readonly (string | { readonly hidden: string })[];
  /** Of the box around it, which scrolls. */
  className?: string;
  /** Rows. */
  children: ReactNode;
}

/** A table of a few rows: heads that stay, and a line between rows. */
export function SimpleTable({ caption, heads, className = '', children }: SimpleTableProps) {
  return (
    <div className={`overflow-auto ${className}`} tabIndex={-1}>
      <table className="w-full text-left">
        {caption !== undefined && <caption className="sr-only">{caption}</caption>}
        <thead className="sticky top-0 bg-surface text-sm whitespace-nowrap text-soft">
          <tr>
            {heads.map((head) => (
              <th key={typeof head === 'string' ? head : head.hidden} scope="col" className="pr-4 font-normal">
                {typeof head === 'string' ? head : <span className="sr-only">{head.hidden}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">{children}</tbody>
      </table>
    </div>
  );
}
