import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { formatCounted } from '#web/ui/format.ts';
import { toRowsText } from '#web/grid/cells/gridWords.ts';

interface ReplaceDialogProps {
  /** Rows of now. */
  rows: number;
  /** Answers that would go with them; null: nothing is asked. */
  answers: number | null;
  onReplace: () => void;
  onClose: () => void;
}

/** Asks before other rows take many answers away. */
export function ReplaceDialog({ rows, answers, onReplace, onClose }: ReplaceDialogProps) {
  const gone = formatCounted(answers ?? 0, 'answer');
  return (
    <Dialog title={`Replace ${toRowsText(rows)}?`} isOpen={answers !== null} onClose={onClose}>
      <p className="mb-3 text-soft">
        {gone} would go with them. Undo brings them back for some seconds; export the grid first to keep them for
        longer.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep the rows</Button>
        <Button variant="danger" onClick={onReplace}>
          Replace, and remove {gone}
        </Button>
      </div>
    </Dialog>
  );
}
