import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { toRowsText } from '#features/evaluation/web/cells/gridWords.ts';

interface ReplaceDialogProps {
  /** Number of rows in the grid now. */
  rows: number;
  /** Number of answers that the replacement removes; null: the dialog is closed. */
  answers: number | null;
  onReplace: () => void;
  onClose: () => void;
}

/** Asks before new rows remove many answers. */
export function ReplaceDialog({ rows, answers, onReplace, onClose }: ReplaceDialogProps) {
  const answersText = formatCounted(answers ?? 0, 'answer');
  return (
    <Dialog title={`Replace ${toRowsText(rows)}?`} isOpen={answers !== null} onClose={onClose}>
      <p className="mb-3 text-soft">
        This also removes {answersText}. You can undo it for some seconds. To keep the answers longer, export the grid
        first.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep the rows</Button>
        <Button variant="danger" onClick={onReplace}>
          Replace, and remove {answersText}
        </Button>
      </div>
    </Dialog>
  );
}
