import { useId, useState } from 'react';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { DraftFields } from './DraftFields.tsx';
import { findDraftProblem, toDraft, toFields } from './evaluationDraft.ts';
import { useRecordActions } from './recordActions.ts';

interface EvaluationDialogProps {
  evaluation: Evaluation;
  onClose: () => void;
}

/** Changes what is asked and how it is judged. Rows stay; other checks or settings make a new version. */
export function EvaluationDialog({ evaluation: newest, onClose }: EvaluationDialogProps) {
  // As it was when the form was opened: what somebody else changes meanwhile is not written over.
  const [evaluation] = useState(newest);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const id = useId();
  const { changeOrThrow } = useRecordActions();
  const [draft, setDraft] = useState(() => toDraft(evaluation));
  return (
    <Dialog title={`Change ${evaluation.name}`} isOpen onClose={onClose}>
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setSending(true);
          changeOrThrow(evaluation, toFields(draft, evaluation))
            .then(onClose, (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
            .finally(() => setSending(false));
        }}
      >
        <DraftFields draft={draft} suggestion={null} hasPrompt={evaluation.prompt !== null} onChange={setDraft} />
        {failure !== null && <ErrorNotice title="It was not changed" detail={failure} />}
      </form>
      <DialogFoot>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <ChangeButton
            form={id}
            type="submit"
            variant="primary"
            disabledReason={findDraftProblem(draft, evaluation) ?? (isSending ? 'It is being saved.' : null)}
          >
            Save
          </ChangeButton>
        </span>
      </DialogFoot>
    </Dialog>
  );
}
