// Whether a base model can be trained in this studio, and if not, what to do. Pure.
import type { TrainingQueue, TrainingBases } from './trainingRecords.ts';

const NOTHING =
  'Nothing trains here, so a run waits. Start a worker on any machine with "model-studio worker --studio URL ' +
  '--token-file FILE", or the service without --trainer none.';

/**
 * Why a run from this base model would wait, and what to do; null: it can be trained, or nobody knows yet. `queue` null:
 * the service trains nothing. `bases` null: it does not say.
 */
export function findBaseProblem(
  base: string,
  queue: TrainingQueue | null | undefined,
  bases: TrainingBases | null | undefined,
): string | null {
  if (queue === undefined || base === '') return null;
  const trainer = queue?.trainer ?? null;
  const hasWorkers = queue?.has_workers === true;
  if (trainer === null) return hasWorkers ? null : NOTHING;
  const refusal = bases?.bases.find(({ id }) => id === base)?.refusal ?? null;
  const isTaken = refusal === null && (trainer.trains_only === null || trainer.trains_only.includes(base));
  if (isTaken) return null;
  const name = trainer.name.charAt(0).toUpperCase() + trainer.name.slice(1);
  if (hasWorkers) return `${name} can’t train ${base}, so a run of it waits for a worker that takes it.`;
  if (refusal !== null) return refusal;
  return (
    `${name} can’t train ${base}, so a run of it waits. Start the service with --trainer CMD, a command that ` +
    'can, or with --model to add its GGUF file, or choose another base model.'
  );
}
