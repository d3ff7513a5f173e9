import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';

interface CancelButtonProps {
  /** `Cancel run`, `Cancel job`, `Cancel Experiment 1`: its name, and what is asked. */
  label: string;
  /** What is on the button, where its name would be too long. */
  text?: string;
  /** Of the runs that it ends: if one has trained steps that would be lost, it asks first. */
  statuses: readonly (string | null | undefined)[];
  /** Why it can't be pressed; null: it can. */
  busyReason: string | null;
  onCancel: () => void;
}

/** Cancels a run, or all runs of a job that have not ended. */
export function CancelButton({ label, text = label, statuses, busyReason, onCancel }: CancelButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const hasTrained = statuses.some((status) => status === 'running' || status === 'deploying');
  return (
    <>
      <Button
        size="small"
        variant="danger"
        disabledReason={busyReason}
        {...(hasTrained && { 'aria-haspopup': 'dialog' as const })}
        {...(text !== label && { 'aria-label': label })}
        onClick={() => (hasTrained ? setAsking(true) : onCancel())}
      >
        {text}
      </Button>
      {isAsking && (
        <Dialog title={`${label}?`} isOpen onClose={() => setAsking(false)}>
          <div className="flex flex-col gap-3">
            <p>
              The steps that were trained are lost. To keep them for later, press Stop and save on the page of the run
              instead.
            </p>
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
