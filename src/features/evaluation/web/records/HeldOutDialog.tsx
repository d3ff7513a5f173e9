import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import type { HeldOutQuestion } from './useRowsDataset.ts';

/** Asks before rows that measure models become rows to train with. */
export function HeldOutDialog({ warning, onMake, onClose }: HeldOutQuestion) {
  return (
    <Dialog title="Make a dataset of held-out rows?" isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p>{warning}</p>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <ChangeButton variant="danger" onClick={onMake}>
            Make the dataset all the same
          </ChangeButton>
        </span>
      </div>
    </Dialog>
  );
}
