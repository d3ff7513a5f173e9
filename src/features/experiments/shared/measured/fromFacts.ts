// Finished runs, whatever trained them, as evidence for new data. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import type { RunFacts } from '#features/runs/shared/settings/runFacts.ts';
import type { MeasuredRun } from './measuredRun.ts';

const UNITS: Readonly<Record<string, number>> = { m: 1e6, b: 1e9 };

/** Weights that a model's name tells: `Qwen3-0.6B`, `smollm-135m`. null: it tells none. */
export function toWeights(name: string): number | null {
  const found = /(?:^|[-_/ ])(\d+(?:\.\d+)?)([mb])(?:$|[-_. ])/i.exec(name);
  const [, number, unit = ''] = found ?? [];
  return number === undefined ? null : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

interface FactsOrigin {
  readonly origin: 'own' | 'imported';
  readonly answer_shape: AnswerShape | null;
  /** Weights of a base model by its id; null: not known here. */
  readonly findWeights: (base: string) => number | null;
  /** The name of the data, where the facts have no snapshot. */
  readonly job: string;
}

/**
 * null: too little is known to tell how near the run is, or what it shows. A run that did not end well, and did not diverge,
 * shows nothing. Runs of other methods than supervised training
 * need other rates.
 */
export function toMeasuredRun(
  facts: RunFacts,
  { origin, answer_shape, findWeights, job }: FactsOrigin,
): MeasuredRun | null {
  const { data, settings, base_model_id: base, training_type: type } = facts;
  const { learning_rate, batch_rows: batch_size, epochs: n_epochs } = settings;
  const parameters = base === null ? null : (findWeights(base) ?? toWeights(base));
  const isSupervised = facts.method === null || facts.method === 'sft';
  if (base === null || parameters === null || type === null || !isSupervised) return null;
  if (!data.training_rows || !learning_rate || !batch_size || !n_epochs) return null;
  if (facts.has_succeeded ? facts.best_held_out_loss === null : !facts.has_diverged) return null;
  return {
    task: `${data.snapshot_id ?? `${job} ${data.datasets ?? ''}`} ${base}`,
    origin,
    facts: {
      rows: data.training_rows,
      bytes_per_row: data.bytes_per_row ?? 0,
      tokens_per_row: null,
      answer_shape,
      parameters,
    },
    lora: type !== 'full',
    learning_rate,
    batch_size,
    n_epochs,
    loss: facts.has_succeeded ? facts.best_held_out_loss : null,
    exact_match: facts.has_succeeded ? facts.exact_match : null,
  };
}
