// Words for the ways of training. An unknown way is shown as the service wrote it.
import type { Candidate } from './candidates.ts';

/** Of the local studio; other services may mean another end of training. */
export const LAST_LOSS_HINT =
  'Mean loss of the last 20 steps, as the local studio measures it; the end of a loss curve is the last step alone';

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

/** What stands first in a column's head: a run's own name, else the base model. */
export function toCandidateTitle(candidate: Candidate): string {
  return candidate.label ?? candidate.base_model_id;
}

/**
 * Where a candidate comes from, in a few words: `recommended base model`, `proposed experiment`, `run of Tickets ›
 * First round`.
 */
export function toOriginWords({ origin, recommended, home }: Candidate): string {
  if (origin === 'run') return home === null ? 'run' : `run of ${home}`;
  const kind = origin === 'model' ? 'base model' : 'experiment';
  const given = recommended ? 'recommended' : origin === 'model' ? 'advised' : 'proposed';
  return `${given} ${kind}${home === null ? '' : ` for ${home}`}`;
}

/** What a reason speaks of: a base model has one for all ways of training it. */
export function toReasonSubject(candidate: Candidate): string {
  if (candidate.origin !== 'model') return toCandidateName(candidate);
  const { base_model_id, repeat, home } = candidate;
  return [base_model_id, ...(repeat > 1 ? [`entry ${repeat}`] : []), ...(home === null ? [] : [home])].join(' · ');
}

/** One candidate in one line, unique in its record: the accessible name of its controls. */
export function toCandidateName(candidate: Candidate): string {
  if (candidate.origin === 'run') return `${toCandidateTitle(candidate)} · ${toOriginWords(candidate)}`;
  const name = `${candidate.base_model_id} · ${toCandidateKind(candidate)}`;
  return candidate.home === null ? name : `${name} · ${candidate.home}`;
}

const SHOWN_CHARACTERS = 400;

/** A value as far as anyone reads it where it stands among others; a service may give a whole curve in one field. */
export function toClipped(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text;
}
