import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';

interface DeleteDialogProps {
  /** Such as "run 3 of Ticket triage". */
  what: string;
  /** What goes with it. */
  loss: string;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks before what nothing brings back. */
export function DeleteDialog({ what, loss, onDelete, onClose }: DeleteDialogProps) {
  return (
    <Dialog title={`Delete ${what}?`} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p>{loss} Nothing brings it back.</p>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep it</Button>
          <ChangeButton
            variant="danger"
            onClick={() => {
              onDelete();
              onClose();
            }}
          >
            Delete
          </ChangeButton>
        </span>
      </div>
    </Dialog>
  );
}
