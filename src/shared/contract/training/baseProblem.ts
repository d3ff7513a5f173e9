// Whether a base model can be trained in this studio, and if not, what to do. Pure.
import type { ReadQueue } from './trainingReader.ts';
import type { TrainingBases } from './trainingRecords.ts';

const NOTHING =
  'Nothing trains here, so a run waits. Start the service with --trainer CMD, a command that trains jobs.';

/**
 * Why a run from this base model would wait, and what to do; null: it can be trained, or nobody knows yet. `queue` null:
 * the service trains nothing. `bases` null: it does not say.
 */
export function findBaseProblem(
  base: string,
  queue: ReadQueue | null | undefined,
  bases: TrainingBases | null | undefined,
): string | null {
  if (queue === undefined || base === '') return null;
  const trainer = queue?.trainer ?? null;
  if (trainer === null) return NOTHING;
  const refusal = bases?.bases.find(({ id }) => id === base)?.refusal ?? null;
  if (refusal !== null) return refusal;
  if (trainer.trains_only === null || trainer.trains_only.includes(base)) return null;
  const name = trainer.name.charAt(0).toUpperCase() + trainer.name.slice(1);
  return (
    `${name} can’t train ${base}, so a run of it waits. Start the service with --trainer CMD, a command that ` +
    'can, or with --model to add its GGUF file, or choose another base model.'
  );
}
