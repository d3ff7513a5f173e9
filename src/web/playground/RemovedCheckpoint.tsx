import { useQuery } from '@tanstack/react-query';
import { nodeLabel } from '#shared/contract/projectReader.ts';
import { textOr } from '#shared/contract/reading.ts';
import { isActiveStatus, isSucceeded } from '#shared/contract/statuses.ts';
import { modelsQuery } from '#web/api/queries.ts';
import { setModel } from '#web/playground/desk/actions.ts';
import type { Checkpoint } from '#web/playground/desk/modelOptions.ts';
import { Button } from '#web/ui/Button.tsx';
import { formatCount } from '#web/ui/format.ts';

interface RemovedCheckpointProps {
  paneId: string;
  checkpoint: Checkpoint;
}

/** Says that a pane's checkpoint is gone, and leads to what its run has ended with. */
export function RemovedCheckpoint({ paneId, checkpoint: { value, run, step } }: RemovedCheckpointProps) {
  // The list may be older than a checkpoint that was just saved.
  const { data, isFetchedAfterMount } = useQuery({ ...modelsQuery(), refetchOnMount: 'always' });
  const model = isSucceeded(run.status) ? textOr(run.metadata['model_id'], null) : null;
  if (!isFetchedAfterMount || data?.some(({ id }) => id === value)) return null;
  return (
    <section
      aria-label="Removed checkpoint"
      data-keep-clear
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-wait-soft px-3 py-1.5 text-sm"
    >
      <p className="min-w-[16rem] flex-1">
        {`The checkpoint of step ${formatCount(step)} of ${nodeLabel(run)} was removed `}
        {isActiveStatus(run.status)
          ? 'for newer ones, which are in the run’s list of checkpoints.'
          : model === null
            ? 'when the run ended. Choose another model above.'
            : 'when the run ended. Its final model can answer in its place.'}
      </p>
      {model !== null && (
        <Button size="small" onClick={() => setModel(paneId, model)}>
          Use the final model
        </Button>
      )}
    </section>
  );
}
