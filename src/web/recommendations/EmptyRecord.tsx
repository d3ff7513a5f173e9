import { ListX } from 'lucide-react';
import { EmptyState } from '#web/ui/EmptyState.tsx';

interface EmptyRecordProps {
  status: string;
}

/** Both lists are empty. While it is still being computed or has failed, that is said elsewhere. */
export function EmptyRecord({ status }: EmptyRecordProps) {
  if (status === 'processing' || status === 'failed') return null;
  return (
    <EmptyState icon={<ListX aria-hidden size={20} />} title="The service recommends nothing for this snapshot">
      It answered “{status}” with no base model and no experiment. Most often the snapshot has too few rows: add some to
      its dataset, make a new snapshot, and look there.
    </EmptyState>
  );
}
