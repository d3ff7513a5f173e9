import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { sessionQuery } from '#web/api/queries.ts';
import { startTraining } from '#web/session/trainingRequest.ts';
import { Button } from '#web/ui/Button.tsx';

interface StartButtonProps {
  snapshot: TreeNode;
  /** Said after its label where several stand on a page. */
  of?: string;
  size?: 'small' | 'medium';
  /** Training is possible here, but not advised. */
  isQuiet?: boolean;
}

/** Opens the dialog that trains what is recommended. A remote studio trains by itself. */
export function StartButton({ snapshot, of, size = 'small', isQuiet = false }: StartButtonProps) {
  const { data: session } = useQuery(sessionQuery());
  if (session?.mode !== 'local') return null;
  return (
    <Button
      size={size}
      variant={isQuiet ? 'default' : 'primary'}
      aria-label={of === undefined ? undefined : `Start training…: ${of}`}
      onClick={() => startTraining({ snapshotId: snapshot.id, jobId: null })}
    >
      <Play aria-hidden size={13} />
      Start training…
    </Button>
  );
}
