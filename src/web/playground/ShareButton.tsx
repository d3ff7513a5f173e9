import { Share2 } from 'lucide-react';
import { IconButton } from '#web/ui/IconButton.tsx';
import { openDialog } from '#web/playground/desk/dialogStore.ts';

/** Opens the dialog with the link of this session. */
export function ShareButton() {
  return (
    <IconButton
      label="Share"
      icon={<Share2 aria-hidden size={14} />}
      aria-haspopup="dialog"
      onClick={() => openDialog('share')}
    />
  );
}
