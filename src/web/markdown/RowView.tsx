import { memo } from 'react';
import { InlineView } from './InlineView.tsx';
import type { TableRow } from './markdownNodes.ts';

interface RowViewProps {
  row: TableRow;
}

export const RowView = memo(function RowView({ row }: RowViewProps) {
  return (
    <tr>
      {row.cells.map((cell) => (
        <td key={cell.column} className={`md-${cell.align ?? 'left'}`}>
          <InlineView nodes={cell.children} />
        </td>
      ))}
    </tr>
  );
});
