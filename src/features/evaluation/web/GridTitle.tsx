import { Pencil, Table2 } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { MAX_NAME, toGridTitle } from './gridEntry.ts';
import { nameGrid } from './gridSaver.ts';
import { GridsView } from './GridsView.tsx';
import { useGrid } from './gridStore.ts';

interface NameFieldProps {
  start: string;
  placeholder: string;
  onDone: (name: string | null) => void;
}

/** Stays the same function, so React calls it once. */
const selectText = (element: HTMLInputElement | null) => element?.select();

/** Enter and leaving the field rename, Escape cancels. */
function NameField({ start, placeholder, onDone }: NameFieldProps) {
  const [name, setName] = useState(start);
  return (
    <input
      ref={selectText}
      aria-label="Name of the grid"
      value={name}
      maxLength={MAX_NAME}
      placeholder={placeholder}
      onChange={({ target }) => setName(target.value)}
      onBlur={() => onDone(name.trim())}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onDone(name.trim());
        if (key === 'Escape') onDone(null);
      }}
      className="h-6 min-w-32 flex-1 rounded-md border border-line-strong bg-surface px-1.5 font-semibold"
    />
  );
}

/** The open grid's name, renamed in place, and the list of all grids. */
export function GridTitle() {
  const { name } = useGrid((state) => state.storedAs);
  const { rows, columns, source = '' } = useGrid((state) => state.setup);
  const [isOpen, setOpen] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const facts = { rows: rows.length, columns: columns.map((column) => column.name ?? column.label), source };
  const title = toGridTitle({ ...facts, name, isReadable: true });
  const finish = (next: string | null): void => {
    setRenaming(false);
    if (next !== null && next !== name) nameGrid(next);
  };
  return (
    <>
      <IconButton
        label={`Grids, open: ${title}`}
        icon={<Table2 aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      />
      {isRenaming ? (
        <NameField start={name} placeholder={toGridTitle({ ...facts, name: '', isReadable: true })} onDone={finish} />
      ) : (
        <button
          type="button"
          aria-label={`Rename ${title}`}
          title={title}
          onClick={() => setRenaming(true)}
          className="group flex h-6 min-w-32 flex-1 items-center gap-1.5 rounded-md px-1 text-left hover:bg-raised"
        >
          <span className="min-w-0 truncate font-semibold">{title}</span>
          <Pencil
            aria-hidden
            size={11}
            className="shrink-0 text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          />
        </button>
      )}
      <Dialog title="Grids" isOpen={isOpen} onClose={() => setOpen(false)}>
        <GridsView onClose={() => setOpen(false)} />
        <ToastRegion />
      </Dialog>
    </>
  );
}
