import { useCallback, useState, type ReactNode } from 'react';

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
  const [isCut, setCut] = useState(false);
  const watch = useCallback((box: HTMLDivElement) => {
    const observer = new ResizeObserver(() =>
      setCut(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight),
    );
    for (const element of [box, ...box.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Without a stop of its own a table without controls could not be scrolled by keys.
  const stop = isCut ? { tabIndex: 0, role: 'region', 'aria-label': caption ?? 'Table' } : {};
  return (
    <div ref={watch} {...stop} className={`overflow-auto ${className}`}>
      <table className="w-full text-left">
        {caption !== undefined && <caption className="sr-only">{caption}</caption>}
        <thead className="sticky top-0 bg-surface text-sm whitespace-nowrap text-soft">
          <tr>
            {heads.map((head, at) => (
              <th
                key={`${String(at)} ${typeof head === 'string' ? head : head.hidden}`}
                scope="col"
                className="pr-4 font-normal"
              >
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
