// Which fields beyond SPEC belong to one way of training alone.
import type { Candidate, ModelChoice } from '#shared/training/candidates.ts';
import type { ExtraParameter } from '#shared/training/extraParameters.ts';

/** A candidate's extra fields without those that its base model's advice has as a whole. */
export function toOwnExtras(candidate: Candidate | null, model: ModelChoice): readonly ExtraParameter[] {
  const shared = new Set(model.extras.map(({ name }) => name));
  return candidate?.extras.filter(({ name }) => !shared.has(name)) ?? [];
}
