import { useEffect, type KeyboardEvent } from 'react';
import type { Trace } from '#features/traces/shared/traces.ts';
import { GridRows } from '#ui/grid/GridRows.tsx';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { useDataGrid } from '#ui/grid/useDataGrid.ts';
import { toRowProps } from '#ui/grid/useGridFocus.ts';
import { formatMoment } from '#ui/kit/format.ts';
import { SCORE_KEYS, toScoreText, toStateWords } from './traceFilter.ts';

const ROW_HEIGHT = 34;
const HEAD_HEIGHT = 30;
const LINE = 'border-b border-line';
const CELL = `${LINE} overflow-hidden px-2.5 text-ellipsis whitespace-nowrap`;
const NARROW = '@max-[44rem]:hidden';
/** Rows below the last one on screen at which the next page is asked for. */
const AHEAD = 40;

interface TraceTableProps {
  traces: readonly Trace[];
  onOpen: (place: number) => void;
  /** null: nothing may be scored. */
  onScore: ((trace: Trace, score: number | null) => void) | null;
  /** The end is near. */
  onEnd: () => void;
}

const HEADS = [
  { text: 'Score', look: 'w-20' },
  { text: 'Input', look: '' },
  { text: 'Output', look: '' },
  { text: 'Model', look: `w-44 ${NARROW}` },
  { text: 'Time', look: `w-40 ${NARROW}` },
  { text: 'Dataset', look: `w-32 ${NARROW}` },
];

interface TraceLineProps {
  trace: Trace;
  place: number;
  isActive: boolean;
}

function TraceLine({ trace, place, isActive }: TraceLineProps) {
  return (
    <tr
      {...toRowProps(place, isActive)}
      style={{ height: ROW_HEIGHT }}
      className="cursor-pointer -outline-offset-2 hover:bg-raised"
    >
      <td className={`${CELL} tabular-nums ${trace.score === null ? 'text-faint' : ''}`}>{toScoreText(trace.score)}</td>
      <td className={CELL}>{trace.input}</td>
      <td className={CELL}>{trace.output}</td>
      <td className={`${CELL} ${NARROW} font-mono text-sm text-soft`}>{trace.modelId}</td>
      <td className={`${CELL} ${NARROW} text-sm text-soft tabular-nums`}>
        {formatMoment(Date.parse(trace.createdAt))}
      </td>
      <td className={`${CELL} ${NARROW} text-sm text-soft`} title={trace.reason ?? undefined}>
        {toStateWords(trace)}
      </td>
    </tr>
  );
}

/** Traces, of which only those on screen are in the page. Arrow keys or j and k move, Enter opens, 1 to 5 score, 0 takes a score away. */
export function TraceTable({ traces, onOpen, onScore, onEnd }: TraceTableProps) {
  const onKey = (event: KeyboardEvent, { row }: GridPlace): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const trace = traces[row];
    const focus = (place: number): void =>
      event.currentTarget.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
    if (event.key === 'j') focus(row + 1);
    else if (event.key === 'k') focus(row - 1);
    else if (event.key === 'Enter') onOpen(row);
    else {
      const scored = event.key === '0' ? null : SCORE_KEYS.find(({ key }) => key === event.key)?.score;
      if (scored === undefined || !trace || !onScore) return false;
      onScore(trace, scored);
      focus(row + 1);
    }
    return true;
  };
  const grid = useDataGrid({
    rows: traces.map(({ id }) => id),
    rowHeight: ROW_HEIGHT,
    headHeight: HEAD_HEIGHT,
    onKey,
    onPress: (_event, { row }) => onOpen(row),
  });
  const { setBox, boxStyle } = grid;
  const isNearEnd = grid.range[1] + AHEAD >= traces.length;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);
  return (
    <div
      ref={setBox}
      style={boxStyle}
      className="@container min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
    >
      <table
        {...grid.table}
        aria-label="Traces"
        className="w-full table-fixed border-separate border-spacing-0 text-left"
      >
        <thead className="sticky top-0 z-10 bg-surface">
          <tr aria-rowindex={1} style={{ height: HEAD_HEIGHT }} className="text-sm text-soft">
            {HEADS.map(({ text, look }) => (
              <th key={text} scope="col" className={`${CELL} ${look} font-medium`}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...grid.body}>
          <GridRows grid={grid}>
            {(place) => {
              const trace = traces[place];
              return trace && <TraceLine trace={trace} place={place} isActive={place === grid.active.row} />;
            }}
          </GridRows>
        </tbody>
      </table>
    </div>
  );
}
