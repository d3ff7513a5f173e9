import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '#features/runs/shared/runs.ts';
import { runQuery } from '#features/runs/web/api/runQueries.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ServingWays } from '#features/serving/web/ServingWays.tsx';
import { toCheckpointName, toFirstCheckpoint } from '#features/serving/web/servingWords.ts';

interface RunChatProps {
  runId: string;
  onTry: (models: readonly string[]) => void;
  onClose: () => void;
}

function Checkpoints({ run, onTry, onClose }: Omit<RunChatProps, 'runId'> & { run: Run }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const ready = run.checkpoints.filter(({ is_complete: isComplete }) => isComplete);
  const checkpoint = ready.find(({ path }) => path === chosen) ?? toFirstCheckpoint(ready);
  if (!checkpoint)
    return (
      <p>
        {run.label} has no saved weights{run.checkpoints.length > 0 && ' that are complete'}.{' '}
        {run.folder === '' ? 'They' : `Once the trainer has saved some in ${run.folder}, they`} are listed here and on
        the run’s page.
      </p>
    );
  return (
    <div className="flex flex-col gap-3">
      {ready.length > 1 && (
        <Select
          label="Saved weights"
          value={checkpoint.path}
          options={ready.map((each) => ({
            value: each.path,
            label: each.step === null ? `final, ${each.path}` : toCheckpointName(each),
          }))}
          onChange={setChosen}
        />
      )}
      <ServingWays key={checkpoint.path} run={run} checkpoint={checkpoint} onTry={onTry} onClose={onClose} />
    </div>
  );
}

/** Chat with a run that is not open: its saved weights, and the ways to serve them. */
export function RunChat({ runId, onTry, onClose }: RunChatProps) {
  const { data: run, error, isPending, refetch } = useQuery(runQuery(runId));
  return (
    <Dialog title="Chat with this run" isOpen onClose={onClose}>
      {run ? (
        <Checkpoints run={run} onTry={onTry} onClose={onClose} />
      ) : isPending ? (
        <Skeleton rows={5} />
      ) : (
        <ErrorNotice
          title="The run can’t be read"
          detail={error?.message ?? 'It is not in the folder any more, or belongs to another studio.'}
          onRetry={() => void refetch()}
        />
      )}
    </Dialog>
  );
}
