import { Suspense, useState } from 'react';
import { selectNode } from '#web/session/nodeTab.ts';
import { useCommands } from '#web/session/commands.ts';
import { showWorkspace } from '#web/app/layout/layoutStore.ts';
import { useJobEnds } from '#web/training/useJobEnds.ts';
import { toLazyPopup } from '#web/ui/lazy/lazyPopup.ts';

const StartTraining = toLazyPopup(async () => (await import('#web/training/StartTraining.tsx')).StartTraining);

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
