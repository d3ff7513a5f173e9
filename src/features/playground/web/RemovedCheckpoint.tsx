import { useQuery } from '@tanstack/react-query';
import { nodeLabel } from '#core/contract/projectReader.ts';
import { textOr } from '#core/contract/readJson.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import { modelsQuery } from '#ui/client/queries.ts';
import { setModel } from '#features/playground/web/desk/actions.ts';
import type { Checkpoint } from '#features/playground/web/desk/modelOptions.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatCount } from '#ui/kit/format.ts';

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
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-warning-soft px-3 py-1.5 text-sm"
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
