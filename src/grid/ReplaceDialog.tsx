import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { formatCounted } from '../ui/format';
import { toRowsText } from './gridWords';

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
      <p className="mb-3 text-soft">{gone} would go with them. Undo brings them back for some seconds; export the grid first to keep them for longer.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep the rows</Button>
        <Button variant="danger" onClick={onReplace}>
          Replace, and remove {gone}
        </Button>
      </div>
    </Dialog>
  );
}
