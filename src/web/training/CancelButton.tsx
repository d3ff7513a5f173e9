import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

interface CancelButtonProps {
  /** `Cancel run`, `Cancel job`. */
  label: string;
  /** Whether steps were trained that would be lost: then it asks first. */
  hasTrained: boolean;
  /** Why it can't be pressed; null: it can. */
  busyReason: string | null;
  onCancel: () => void;
}

/** Cancels a run, or all runs of a job that have not ended. */
export function CancelButton({ label, hasTrained, busyReason, onCancel }: CancelButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="danger"
        disabledReason={busyReason}
        {...(hasTrained && { 'aria-haspopup': 'dialog' as const })}
        onClick={() => (hasTrained ? setAsking(true) : onCancel())}
      >
        {label}
      </Button>
      {isAsking && (
        <Dialog title={`${label}?`} isOpen onClose={() => setAsking(false)}>
          <div className="flex max-w-prose flex-col gap-3">
            <p>The steps that were trained are lost. To keep them for later, stop and save the run instead.</p>
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => setAsking(false)}>Keep training</Button>
              <Button
                variant="danger"
                onClick={() => {
                  setAsking(false);
                  onCancel();
                }}
              >
                {label}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
