import type { ReactNode } from 'react';
import { FoldedText } from '#ui/kit/FoldedText.tsx';

interface ReasonRowProps {
  columns: number;
  /** Why something is recommended; null when the service gave no reason. */
  reason: string | null;
  /** What the reason is about. */
  subject: string;
  /** Shown below the reason. */
  children: ReactNode;
}

/** The reason below a row: as wide as the visible part of the table, however far it is scrolled. */
export function ReasonRow({ columns, reason, subject, children }: ReasonRowProps) {
  const isGiven = reason !== null && reason.trim() !== '';
  return (
    <tr>
      <td colSpan={columns} className="p-0">
        <div className="sticky left-0 w-[100cqw] max-w-full px-3 pb-2 text-sm text-soft">
          {isGiven ? (
            <FoldedText text={reason} name={`reason for ${subject}`} />
          ) : (
            <span className="text-faint">No reason given.</span>
          )}
          {children}
        </div>
      </td>
    </tr>
  );
}
