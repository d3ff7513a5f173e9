import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { DeletedNode } from '#shared/contract/data/datasets.ts';
import { toDataRefusal } from '#web/api/data/dataRefusal.ts';
import { deletedQuery } from '#web/api/data/datasetQueries.ts';
import { sessionQuery } from '#web/api/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorNotice } from '#web/ui/ErrorNotice.tsx';
import { formatAge, formatDuration } from '#web/ui/format.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { useNow } from '#web/ui/useNow.ts';
import { restoreWithNotice } from './deletion.ts';
import { toErrorWords } from '#web/api/failure.ts';

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
      <Button
        size="small"
        aria-label={`Restore ${node.label}`}
        disabledReason={isBusy ? 'This is being restored.' : null}
        onClick={() => void restore()}
      >
        <RotateCcw aria-hidden size={13} />
        Restore
      </Button>
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
