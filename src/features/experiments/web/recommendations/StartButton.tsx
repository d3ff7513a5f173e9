import { Play } from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';

interface StartButtonProps {
  snapshot: TreeNode;
  /** Said after its label where several stand on a page. */
  of?: string;
  size?: 'small' | 'medium';
  /** Training is possible here, but not advised. */
  isQuiet?: boolean;
}

/** Opens the dialog that trains what is recommended. */
export function StartButton({ snapshot, of, size = 'small', isQuiet = false }: StartButtonProps) {
  return (
    <ChangeButton
      size={size}
      variant={isQuiet ? 'default' : 'primary'}
      aria-label={of === undefined ? undefined : `Start training…: ${of}`}
      onClick={() => openDialog({ kind: 'start-training', snapshotId: snapshot.id })}
    >
      <Play aria-hidden size={13} />
      Start training…
    </ChangeButton>
  );
}
