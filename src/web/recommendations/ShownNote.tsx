interface ShownNoteProps {
  shown: number;
  of: number;
  /** What is said while nothing is filtered. */
  otherwise: string;
  onShowAll: () => void;
}

/** How many entries the plot's selection leaves, and the way back to all. */
export function ShownNote({ shown, of, otherwise, onShowAll }: ShownNoteProps) {
  if (shown === of) return otherwise;
  return (
    <>
      {shown} shown, {of - shown} outside the plot’s selection
      <button
        type="button"
        onClick={onShowAll}
        className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
      >
        show all
      </button>
    </>
  );
}
