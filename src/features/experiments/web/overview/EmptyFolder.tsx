import { useQuery } from '@tanstack/react-query';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { formatCounted } from '#ui/kit/format.ts';

function toFoundText({ state, state_reason: reason, folders, files }: RunRoot): string {
  if (state === 'scanning') return 'It is being read.';
  if (state === 'missing') return reason ?? 'It is not available now: its runs come back with it.';
  if (files === 0) return 'It is empty.';
  const counts = `${formatCounted(files, 'file')} in ${formatCounted(folders, 'folder')}`;
  return `None of its ${counts} was written by a trainer or tracker that the studio reads.`;
}

/** A folder of runs without a run. */
export function EmptyFolder({ id }: { id: string }) {
  const { data: roots } = useQuery(runRootsQuery());
  const root = roots?.find((each) => each.id === id);
  if (!root) return null;
  return (
    <EmptyState
      title="No run in this folder yet"
      action={
        <Button onClick={() => runCommand('run-folders')}>
          {root.not_understood_count > 0 ? 'What was not understood' : 'Run folders'}
        </Button>
      }
    >
      <span className="font-mono [overflow-wrap:anywhere]">{root.path}</span>: {toFoundText(root)} What TRL, Axolotl,
      LLaMA-Factory, TensorBoard, W&amp;B or another trainer or tracker writes there appears here by itself.
    </EmptyState>
  );
}
