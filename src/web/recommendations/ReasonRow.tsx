import type { ReactNode } from 'react';

interface ReasonRowProps {
  columns: number;
  children: ReactNode;
}

/** The reason beneath a row: as wide as what is visible, however far the table is scrolled. */
export function ReasonRow({ columns, children }: ReasonRowProps) {
  return (
    <tr>
      <td colSpan={columns} className="p-0">
        <div className="sticky left-0 w-[100cqw] max-w-full px-3 pb-2 text-sm text-soft">{children}</div>
      </td>
    </tr>
  );
}
