import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import { nodeLabel } from '#core/contract/projectReader.ts';
import { createSnapshot, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { splitQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { findDataset, type DatasetNode } from './snapshotTree.ts';
import { toSplitNotes } from './splitWords.ts';
import { useDatasets } from './useDatasets.ts';

/** Both sides of the split before it is made. */
function SplitPreview({ datasetId, percentage }: { datasetId: string; percentage: number }) {
  const { data, error, refetch } = useQuery(splitQuery(datasetId, percentage));
  if (error)
    return <ErrorNotice title="The split can’t be shown" {...toErrorWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={2} />;
  const { training_count: training, validation_count: validation } = data;
  const share = training + validation === 0 ? 0 : (training / (training + validation)) * 100;
  return (
    <div className="flex flex-col gap-1.5">
      <div aria-hidden className="flex h-3 overflow-hidden rounded-full bg-neutral-soft">
        <span className="bg-accent" style={{ width: `${share}%` }} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 tabular-nums" aria-live="polite">
        <span>
          <span className="font-semibold">{formatCount(training)}</span> training
          {training + validation > 0 && ` (${Math.round(share)} %)`}
        </span>
        <span>
          <span className="font-semibold">{formatCount(validation)}</span> validation
        </span>
      </p>
      {toSplitNotes(data).map((note) => (
        <p key={note} className="text-warning">
          {note}
        </p>
      ))}
    </div>
  );
}

interface SnapshotFormProps {
  chosen: DatasetNode;
  onClose: () => void;
}

function SnapshotForm({ chosen: { dataset, snapshots }, onClose }: SnapshotFormProps) {
  const id = useId();
  const client = useQueryClient();
  const [percentage, setPercentage] = useState<number>(SPLIT_PERCENTAGE.fallback);
  const [name, setName] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const asked = useDeferredValue(percentage);
  // A remote studio tells the split only once the snapshot is made.
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const make = async () => {
    setSending(true);
    setError(null);
    try {
      const made = await createSnapshot({
        dataset_id: dataset.id,
        split_percentage: percentage,
        ...(name.trim() !== '' && { name: name.trim() }),
      });
      await refreshTrees(client);
      selectNode({ id: made, type: 'snapshot' });
      onClose();
      showToast('Made the snapshot. Its rows stay as they are now.', { tone: 'success' });
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      setSending(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void make();
      }}
    >
      <p className="text-soft">
        A snapshot freezes the rows of <span className="font-medium text-ink">{nodeLabel(dataset)}</span>
        {isLocal
          ? ' and splits them by their content: the same row always comes to the same side, and duplicates stay together. So the share is not met to the row.'
          : ' and splits them into training and validation rows, in the remote studio.'}
      </p>
      <TextField
        label="Name (may be empty)"
        value={name}
        onChange={setName}
        maxLength={DATA_LIMITS.name}
        placeholder={`Snapshot ${snapshots.length + 1}`}
        autoComplete="off"
      />
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="flex justify-between text-soft">
          Rows for training <span className="font-medium text-ink tabular-nums">{percentage} %</span>
        </label>
        <input
          id={id}
          type="range"
          min={SPLIT_PERCENTAGE.min}
          max={SPLIT_PERCENTAGE.max}
          value={percentage}
          aria-valuetext={`${percentage} %`}
          onChange={(event) => setPercentage(Number(event.target.value))}
          className="w-full accent-(--accent)"
        />
      </div>
      {isLocal && <SplitPreview datasetId={dataset.id} percentage={asked} />}
      {error && <ErrorNotice title="The snapshot was not made" {...toErrorWords(error)} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabledReason={isSending ? 'The snapshot is being made.' : null}>
          Make snapshot
        </Button>
      </div>
    </form>
  );
}

interface SnapshotDialogProps {
  onClose: () => void;
}

/** Freezes the rows of a dataset, with the split seen before it is made. */
export function SnapshotDialog({ onClose }: SnapshotDialogProps) {
  const refusal = useReadOnlyReason();
  const { datasets, selected } = useDatasets();
  const [chosenId, setChosen] = useState<string | null>(null);
  const chosen = findDataset(datasets, chosenId ?? selected) ?? datasets[0];
  return (
    <Dialog title="New snapshot" isOpen onClose={onClose}>
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : !chosen ? (
        <p>This project has no dataset yet. Drop a file on the page to make one.</p>
      ) : (
        <div className="flex flex-col gap-3">
          {datasets.length > 1 && (
            <Select
              label="Dataset"
              value={chosen.dataset.id}
              options={datasets.map(({ dataset }) => ({ value: dataset.id, label: nodeLabel(dataset) }))}
              onChange={setChosen}
            />
          )}
          <SnapshotForm key={chosen.dataset.id} chosen={chosen} onClose={onClose} />
        </div>
      )}
    </Dialog>
  );
}
