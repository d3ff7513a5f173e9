import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { updateUrl } from '#ui/address/urlState.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { TextField } from '#ui/fields/TextField.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { makeTraceEvaluation, MAX_TRACES, toFilterWords, toLeftWords } from './traceEvaluation.ts';
import type { TraceFilter } from './traceFilter.ts';

interface TraceEvaluationDialogProps {
  projectId: string;
  filter: TraceFilter;
  onClose: () => void;
}

/** Makes an evaluation of the traces that are shown. */
export function TraceEvaluationDialog({ projectId, filter, onClose }: TraceEvaluationDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState('Traces');
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const words = toFilterWords(filter);
  const make = async (): Promise<void> => {
    const stopping = new AbortController();
    const { signal } = stopping;
    stopper.current = stopping;
    setError(null);
    setShare(0);
    try {
      const onRead = (read: number, total: number): void => setShare(read / total);
      const { id, left } = await makeTraceEvaluation(projectId, name.trim(), filter, { onRead, signal });
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      if (signal.aborted) return;
      const leftOut = toLeftWords(left);
      if (leftOut !== null) showToast(leftOut);
      onClose();
      updateUrl({ tab: 'evaluations', evaluation: id, run: null, answers: null });
    } catch (failure) {
      if (signal.aborted) return;
      setError(failure);
      setShare(null);
    }
  };
  return (
    <Dialog title="Traces into an evaluation" isOpen onClose={onClose}>
      <form
        className="flex max-w-lg flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <p>
          Each trace becomes a row with what was asked{words !== '' && ` (${words})`}, the first{' '}
          {formatCount(MAX_TRACES)} in the order of the list. The output of a good one is the expected answer. Choose
          models and checks afterwards.
        </p>
        <TextField label="Name" value={name} maxLength={200} onChange={setName} />
        {share !== null && <ProgressLine label="Traces read" share={share} />}
        {error !== null && <ErrorNotice title="The evaluation was not made" {...toErrorWords(error)} />}
        <div className="flex justify-end">
          <ChangeButton
            type="submit"
            variant="primary"
            disabledReason={
              name.trim() === '' ? 'Give it a name.' : share === null ? null : 'The traces are being read.'
            }
          >
            Make
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
