import { InlineView } from './InlineView.tsx';
import type { BlockNode } from './markdownNodes.ts';
import { RowView } from './RowView.tsx';

interface TableViewProps {
  table: Extract<BlockNode, { kind: 'table' }>;
}

/** A box that scrolls has to be reachable by keyboard. */
const SCROLLING = { tabIndex: 0, role: 'group' } as const;

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
