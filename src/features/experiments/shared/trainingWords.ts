// Names of candidates and training types for people. An unknown training type is shown as the service wrote it.
import type { Candidate } from './candidates.ts';

const WORDS: Readonly<Record<string, string>> = { full: 'full', lora: 'LoRA', qlora: 'QLoRA' };

/** The training type in words; null if the service did not send it. */
export function toTrainingWord(training_type: string | null): string | null {
  if (training_type === null || training_type === '') return null;
  return Object.hasOwn(WORDS, training_type) ? (WORDS[training_type] ?? training_type) : training_type;
}

/** A candidate's training type and place: `LoRA` for advice on a model, `full · #2` for the second experiment. */
export function toCandidateKind(candidate: Candidate): string {
  const training = toTrainingWord(candidate.training_type) ?? 'training not given';
  if (candidate.place !== null) return `${training} · #${candidate.place}`;
  return candidate.repeat > 1 ? `${training} · entry ${candidate.repeat}` : training;
}

/** A candidate's title: a run's own name, else the base model. */
export function toCandidateTitle(candidate: Candidate): string {
  return candidate.label ?? candidate.base_model_id;
}

/**
 * Where a candidate comes from, in a few words: `recommended base model`, `proposed run`, `run of Tickets ›
 * First round`.
 */
export function toOriginWords({ origin, recommended, location }: Candidate): string {
  if (origin === 'run') return location === null ? 'run' : `run of ${location}`;
  const kind = origin === 'model' ? 'base model' : 'run';
  const given = recommended ? 'recommended' : origin === 'model' ? 'advised' : 'proposed';
  return `${given} ${kind}${location === null ? '' : ` for ${location}`}`;
}

/** The subject of a reason. A base model has one reason for all training types. */
export function toReasonSubject(candidate: Candidate): string {
  if (candidate.origin !== 'model') return toCandidateName(candidate);
  const { base_model_id, repeat, location } = candidate;
  return [base_model_id, ...(repeat > 1 ? [`entry ${repeat}`] : []), ...(location === null ? [] : [location])].join(
    ' · ',
  );
}

/** The accessible name of a candidate's controls: one line, unique in its record. */
export function toCandidateName(candidate: Candidate): string {
  if (candidate.origin === 'run') return `${toCandidateTitle(candidate)} · ${toOriginWords(candidate)}`;
  const name = `${candidate.base_model_id} · ${toCandidateKind(candidate)}`;
  return candidate.location === null ? name : `${name} · ${candidate.location}`;
}

const SHOWN_CHARACTERS = 400;

/** Cuts a long value in a list of values: a service may send a whole curve in one field. */
export function toClipped(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text;
}
