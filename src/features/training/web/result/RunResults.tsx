import type { TreeNode } from '#core/contract/projectReader.ts';
import { textOr } from '#core/contract/readJson.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { AnswerChanges } from './AnswerChanges.tsx';
import { CheckpointTable } from './CheckpointTable.tsx';
import { ParityTable } from './ParityTable.tsx';
import { ServeElsewhereView } from './ServeElsewhereView.tsx';

interface RunResultsProps {
  run: TreeNode;
  progress: TrainingProgress;
  /** Opens models in the playground. */
  onTry: (models: readonly string[]) => void;
}

/** What a training has come to so far. Its code loads with the first run that is opened. */
export function RunResults({ run, progress, onTry }: RunResultsProps) {
  const base = textOr(run.metadata['base_model_id'], null);
  const model = textOr(run.metadata['model_id'], null);
  const isActive = isActiveStatus(progress.status);
  return (
    <>
      <CheckpointTable progress={progress} base={base} model={model} isActive={isActive} onTry={onTry} />
      {progress.parity && <ParityTable parity={progress.parity} />}
      <AnswerChanges validations={progress.validations} isActive={isActive} />
      {isSucceeded(progress.status) && <ServeElsewhereView id={run.id} />}
    </>
  );
}
