import { useId, useState } from 'react';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { DraftFields } from './DraftFields.tsx';
import { findDraftProblem, toDraft, toFields } from './evaluationDraft.ts';
import { useRecordActions } from './recordActions.ts';

interface EvaluationDialogProps {
  evaluation: Evaluation;
  onClose: () => void;
}

/** Changes what is asked and how it is judged. Rows stay; other checks or settings make a new version. */
export function EvaluationDialog({ evaluation, onClose }: EvaluationDialogProps) {
  const id = useId();
  const { change } = useRecordActions();
  const [draft, setDraft] = useState(() => toDraft(evaluation));
  return (
    <Dialog title={`Change ${evaluation.name}`} isOpen onClose={onClose}>
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change(evaluation, toFields(draft, evaluation));
          onClose();
        }}
      >
        <DraftFields draft={draft} suggestion={null} hasPrompt={evaluation.prompt !== null} onChange={setDraft} />
      </form>
      <DialogFoot>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <ChangeButton form={id} type="submit" variant="primary" disabledReason={findDraftProblem(draft)}>
            Save
          </ChangeButton>
        </span>
      </DialogFoot>
    </Dialog>
  );
}
