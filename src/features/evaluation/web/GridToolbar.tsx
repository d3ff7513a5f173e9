import { ClipboardList, Eraser, ListChecks, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Menu } from '#ui/lazy/Menu.tsx';
import { downloadParts } from './exportGrid.ts';
import { changeSetup, clearAnswers } from './gridActions.ts';
import { countAnswers } from '#features/evaluation/web/grid/gridBook.ts';
import { toGridCsv, toGridJsonl } from '#features/evaluation/web/grid/gridExport.ts';
import { withoutRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { readBook, readTally, useGrid } from './gridStore.ts';
import { KeepGridButton } from './records/KeepGridButton.tsx';
import { toSourceCount, type HeldOut } from './useHeldOut.ts';
import { toRowsText } from '#features/evaluation/web/grid/gridWords.ts';

interface GridToolbarProps {
  /** Visible rows, from 0. */
  rows: readonly number[];
  heldOut: HeldOut;
  isChecksOpen: boolean;
  onChecks: (isOpen: boolean) => void;
  onReadRows: () => void;
  onAddRow: () => void;
}

const FORMATS = [
  { label: 'CSV', toParts: toGridCsv, name: 'grid.csv', type: 'text/csv' },
  { label: 'JSONL', toParts: toGridJsonl, name: 'grid.jsonl', type: 'application/jsonl' },
] as const;

/** Takes rows, opens the checks, exports answers. */
export function GridToolbar({ rows, heldOut, isChecksOpen, onChecks, onReadRows, onAddRow }: GridToolbarProps) {
  const setup = useGrid((state) => state.setup);
  const checks = useGrid((state) => state.checks);
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  useGrid((state) => state.pulse);
  const answers = countAnswers(readBook().counts);
  const pauseFirst = isBusy ? 'Pause the run first.' : null;
  const all = useMemo(() => setup.rows.map((_, at) => at), [setup.rows]);
  const toItems = (places: readonly number[], suffix: string) =>
    FORMATS.map(({ label, toParts, name, type }) => ({
      label: `${label}, ${toRowsText(places.length)}${suffix}`,
      onSelect: () =>
        void downloadParts(toParts({ book: readBook(), checks, verdictOf: readTally().verdictOf }, places), name, type),
    }));
  const exports = [...toItems(all, ''), ...(rows.length < all.length ? toItems(rows, ' shown') : [])];
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Button size="small" onClick={onReadRows} disabledReason={pauseFirst}>
        <ClipboardList aria-hidden size={13} /> Import rows
      </Button>
      <IconButton
        label="Add row"
        icon={<Plus aria-hidden size={15} />}
        onClick={onAddRow}
        disabledReason={pauseFirst}
      />
      <Button size="small" aria-expanded={isChecksOpen} onClick={() => onChecks(!isChecksOpen)}>
        <ListChecks aria-hidden size={13} /> Checks {checks.length > 0 && checks.length}
      </Button>
      <KeepGridButton />
      <Menu label="Export" items={exports} />
      <IconButton
        label="Clear answers"
        icon={<Eraser aria-hidden size={15} />}
        onClick={clearAnswers}
        disabledReason={pauseFirst ?? (answers === 0 ? 'There are no answers.' : null)}
      />
      <Menu
        label="More"
        icon={<span aria-hidden>⋯</span>}
        items={[
          ...heldOut.sources.map((source) => ({
            label: `Take ${toSourceCount(source)} of ${source.label}`,
            onSelect: () => heldOut.take(source),
            disabledReason: pauseFirst,
          })),
          {
            label: 'Remove all rows',
            onSelect: () => changeSetup(withoutRows(setup), `${toRowsText(all.length)} removed`),
            disabledReason: pauseFirst,
          },
        ]}
      />
    </span>
  );
}
