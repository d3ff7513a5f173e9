import { Share2 } from 'lucide-react';
import { IconButton } from '#web/ui/IconButton.tsx';
import { openDialog } from '#web/playground/desk/dialogStore.ts';

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
      onClick={() => openDialog(dialog)}
    />
  );
}
