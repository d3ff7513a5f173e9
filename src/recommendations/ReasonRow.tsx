import { ReasonText } from './ReasonText';

interface ReasonRowProps {
  columns: number;
  reason: string | null;
  subject: string;
}

/** A reason beneath its row: as wide as what is visible, however far the table is scrolled. */
export function ReasonRow({ columns, reason, subject }: ReasonRowProps) {
  return (
    <tr>
      <td colSpan={columns} className="p-0">
        <div className="sticky left-0 w-[100cqw] max-w-full px-3 pb-2 text-sm text-soft">
          <ReasonText reason={reason} subject={subject} />
        </div>
      </td>
    </tr>
  );
}
