import { memo } from 'react';
import { InlineView } from './InlineView.tsx';
import type { BlockNode, TableRow } from './markdownNodes.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface RowViewProps {
  row: TableRow;
}

const RowView = memo(function RowView({ row }: RowViewProps) {
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

interface TableViewProps {
  table: Extract<BlockNode, { kind: 'table' }>;
}

export function TableView({ table }: TableViewProps) {
  return (
    <section {...SCROLLING} className="md-scroll" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell) => (
              <th key={cell.column} scope="col" className={`md-${cell.align ?? 'left'}`}>
                <InlineView nodes={cell.children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <RowView key={row.key} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
