import { useQueryClient } from '@tanstack/react-query';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { nodeLabel, ownLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { RenameForm } from '#ui/fields/RenameForm.tsx';
import { renameNode } from './quickActions.ts';

interface RenameDialogProps {
  node: TreeNode;
  onClose: () => void;
}

const findProblem = (name: string): string | null => (name.trim() === '' ? 'Type a name.' : null);

/** Gives a node another name, for this studio only. */
export function RenameDialog({ node, onClose }: RenameDialogProps) {
  const client = useQueryClient();
  const [label, own] = [nodeLabel(node), ownLabel(node)];
  const rename = (name: string) => {
    onClose();
    if (name !== label) void renameNode(client, node, name);
  };
  return (
    <Dialog title={`Rename ${label}`} isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        <ul>
          <RenameForm
            label="Name"
            start={label}
            maxLength={NOTE_LIMITS.name}
            findProblem={findProblem}
            onRename={rename}
            onCancel={onClose}
          />
        </ul>
        {own !== label && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 text-soft">
              Its own name is <span className="text-ink">{own}</span>.
            </span>
            <Button size="small" onClick={() => rename(own)}>
              Use its own name
            </Button>
          </div>
        )}
        <p className="text-sm text-soft">Only this studio shows this name. Files and models keep their own.</p>
      </div>
    </Dialog>
  );
}
