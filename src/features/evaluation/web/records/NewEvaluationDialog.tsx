import type { TreeNode } from '#core/contract/projectReader.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { NewEvaluationForm } from './NewEvaluationForm.tsx';

interface NewEvaluationDialogProps {
  project: TreeNode;
  isOpen: boolean;
  onClose: () => void;
}

export function NewEvaluationDialog({ project, isOpen, onClose }: NewEvaluationDialogProps) {
  return (
    <Dialog title="New evaluation" isOpen={isOpen} onClose={onClose}>
      <NewEvaluationForm project={project} onClose={onClose} />
    </Dialog>
  );
}
