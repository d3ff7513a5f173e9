import { Share2 } from 'lucide-react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';

interface ShareButtonProps {
  dialog: 'share' | 'share-grid';
}

/** Opens the dialog with the link of this session, or of this grid. */
export function ShareButton({ dialog }: ShareButtonProps) {
  return (
    <IconButton
      label="Share"
      icon={<Share2 aria-hidden size={14} />}
      aria-haspopup="dialog"
      onClick={() => openDialog({ kind: dialog })}
    />
  );
}
