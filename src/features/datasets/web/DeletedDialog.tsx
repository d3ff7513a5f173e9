import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { DeletedNode } from '#features/datasets/shared/contract/datasets.ts';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { deletedQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { sessionQuery } from '#ui/client/queries.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatAge, formatDuration } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { restoreWithNotice } from './deletion.ts';
import { toErrorWords } from '#ui/client/failure.ts';

const KINDS: Readonly<Record<DeletedNode['type'], string>> = {
  project: 'Project',
  dataset: 'Dataset',
  snapshot: 'Snapshot',
  'finetuning-job': 'Fine-tuning job',
  experiment: 'Run',
};

function Entry({ node, now }: { node: DeletedNode; now: number }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await restoreWithNotice(client, node);
    setBusy(false);
  };
  const left = Date.parse(node.gone_at) - now;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{node.label}</span>
        <span className="text-sm text-soft">
          {KINDS[node.type]} · deleted {formatAge(Math.max(0, now - Date.parse(node.deleted_at)))}
          {left > 0 && ` · can be restored for ${formatDuration(left)}`}
        </span>
      </span>
      <ChangeButton
        size="small"
        aria-label={`Restore ${node.label}`}
        disabledReason={isBusy ? 'This is being restored.' : null}
        onClick={() => void restore()}
      >
        <RotateCcw aria-hidden size={13} />
        Restore
      </ChangeButton>
    </li>
  );
}

function DeletedList() {
  const refusal = toDataRefusal(useQuery(sessionQuery()).data, 'Restore what was deleted');
  const { data, error, isPending, refetch } = useQuery({ ...deletedQuery(), enabled: refusal === null });
  const now = useNow(1000);
  if (refusal !== null) return <p>{refusal}</p>;
  if (error)
    return <ErrorNotice title="The list can’t be read" {...toErrorWords(error)} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={3} />;
  if (data === null) return <p>This studio keeps nothing that was deleted.</p>;
  if (data.length === 0) return <p>Nothing to restore. What is deleted can be restored here for 24 hours.</p>;
  return (
    <ul>
      {data.map((node) => (
        <Entry key={node.id} node={node} now={now} />
      ))}
    </ul>
  );
}

interface DeletedDialogProps {
  onClose: () => void;
}

/** What was deleted in the last day, each with a way to bring it back. */
export function DeletedDialog({ onClose }: DeletedDialogProps) {
  return (
    <Dialog title="Recently deleted" isOpen onClose={onClose}>
      <DeletedList />
      <ToastRegion />
    </Dialog>
  );
}
