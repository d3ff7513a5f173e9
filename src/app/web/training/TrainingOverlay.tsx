import { Suspense, useState } from 'react';
import { selectNode } from '#ui/address/nodeTab.ts';
import { useCommands } from '#ui/commands/commands.ts';
import { showWorkspace } from '#app/web/layout/layoutStore.ts';
import { useJobEnds } from '#features/training/web/useJobEnds.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';

const StartTraining = toLazyPopup(async () => (await import('#features/training/web/StartTraining.tsx')).StartTraining);

const COMMANDS = ['start-training'] as const;

function openJob(id: string): void {
  showWorkspace();
  selectNode({ id, type: 'finetuning-job' });
}

/** What trainings show above the page. Not part of the first view. */
export function TrainingOverlay() {
  const [isStarting, setStarting] = useState(false);
  useJobEnds(openJob);
  useCommands(COMMANDS, () => setStarting(true));
  return (
    isStarting && (
      <Suspense>
        <StartTraining onClose={() => setStarting(false)} onStarted={openJob} />
      </Suspense>
    )
  );
}
