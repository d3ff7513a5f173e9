import { Fragment, type ReactNode } from 'react';
import type { DataGrid } from './useDataGrid.ts';

interface GridGapProps {
  /** Pixels. */
  height: number;
}

/** The room of rows that are not drawn. */
const GridGap = ({ height }: GridGapProps) =>
  height > 0 ? <tr aria-hidden className="block" style={{ height }} /> : null;

interface GridRowsProps {
  grid: DataGrid;
  /** Draws the row at a place. */
  children: (row: number) => ReactNode;
}

/** The rows near the view, and the room of all others. */
export function GridRows({ grid, children }: GridRowsProps) {
  return (
    <>
      {grid.slots.map(({ key, item, gap }) => (
        <Fragment key={key}>
          <GridGap height={gap} />
          {children(item)}
        </Fragment>
      ))}
      <GridGap height={grid.after} />
    </>
  );
}
