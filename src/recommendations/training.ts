// Words for the ways of training. An unknown way is shown as the service wrote it.
import type { Candidate } from './candidates';

const WORDS: Readonly<Record<string, string>> = { full: 'full', lora: 'LoRA', qlora: 'QLoRA' };

/** The training type as a person reads it; null when the service did not say. */
export function toTrainingWord(training_type: string | null): string | null {
  if (training_type === null || training_type === '') return null;
  return Object.hasOwn(WORDS, training_type) ? (WORDS[training_type] ?? training_type) : training_type;
}

/** What a candidate is beside its base model: `LoRA` for advice on the model, `full · #2` for the second experiment. */
export function toCandidateKind(candidate: Candidate): string {
  const training = toTrainingWord(candidate.training_type) ?? 'training not given';
  if (candidate.place !== null) return `${training} · #${candidate.place}`;
  return candidate.repeat > 1 ? `${training} · entry ${candidate.repeat}` : training;
}

/** One candidate in one line, unique in its record: the accessible name of its controls. */
export function toCandidateName(candidate: Candidate): string {
  return `${candidate.base_model_id} · ${toCandidateKind(candidate)}`;
}
