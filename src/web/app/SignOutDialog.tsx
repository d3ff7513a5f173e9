import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

interface SignOutDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** `isForgotten`: also deletes this browser's data. */
  onSignOut: (isForgotten: boolean) => void;
}

/** Asks what happens to the conversations, which outlive the sign-in. */
export function SignOutDialog({ isOpen, onClose, onSignOut }: SignOutDialogProps) {
  return (
    <Dialog title="Sign out" isOpen={isOpen} onClose={onClose}>
      <p className="mb-3">
        Sessions, grids, training examples and presets stay in this browser: whoever uses it next can read them. If
        other people use this browser, delete them too. That can’t be undone; export first what you need.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => onSignOut(false)}>
          Sign out, keep them
        </Button>
        <Button variant="danger" onClick={() => onSignOut(true)}>
          Sign out and delete what this browser keeps
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
