import { ApiFailure } from '#ui/client/failure.ts';
import { signOut } from '#ui/client/signIn.ts';
import { leaveStudio } from '#ui/storage/leaveStudio.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { showToast } from '#ui/kit/toast.ts';

interface SignOutDialogProps {
  onClose: () => void;
}

/** Asks what happens to the conversations, which outlive the sign-in, and signs out. */
export function SignOutDialog({ onClose }: SignOutDialogProps) {
  /** `isForgotten`: also deletes this browser's data. */
  const leave = async (isForgotten: boolean) => {
    try {
      await leaveStudio(isForgotten, signOut);
      window.location.reload();
    } catch (error) {
      onClose();
      const reason =
        error instanceof ApiFailure ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : '';
      showToast(`Signing out failed. ${reason}`, { tone: 'error' });
    }
  };
  return (
    <Dialog title="Sign out" isOpen onClose={onClose}>
      <p className="mb-3">
        Sessions and grids stay in this browser, and so do presets and training examples that the studio does not keep:
        whoever uses it next can read them. If other people use this browser, delete them too. You can’t undo that:
        export what you need first.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void leave(false)}>
          Sign out, keep them
        </Button>
        <Button variant="danger" onClick={() => void leave(true)}>
          Sign out and delete what this browser keeps
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
