// Words for the settings of runs, and those that tell runs apart. Pure.
import { toNumberText } from '#core/contract/numberNotation.ts';
import { SETTING_NAMES, toSettingText, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import { toTrainingWord } from './trainingWords.ts';

export interface RunSettings {
  readonly base_model_id: string | null;
  readonly training_type: string | null;
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly learning_rate_multiplier: number | null;
  readonly chosen: ChosenSettings;
}

/** Of a first word that is no name: `Seed 2`, but not `LoRA rank 8`. */
const PLAIN_CAPITAL = /^[A-Z](?=[a-z-]+ )/;

/** `support-base`, `LoRA`, `3 epochs`, `batch 8`, `rate 5e-3`, `LoRA rank 16`, `seed 2`; null: not known, or not chosen. */
function toWords({
  base_model_id,
  training_type,
  n_epochs,
  batch_size,
  learning_rate_multiplier: rate,
  chosen,
}: RunSettings) {
  return [
    base_model_id,
    toTrainingWord(training_type),
    n_epochs === null ? null : `${n_epochs} ${n_epochs === 1 ? 'epoch' : 'epochs'}`,
    batch_size === null ? null : `batch ${batch_size}`,
    rate === null ? null : `rate ${toNumberText(rate)}`,
    ...SETTING_NAMES.map(
      (name) => toSettingText(name, chosen)?.replace(PLAIN_CAPITAL, (letter) => letter.toLowerCase()) ?? null,
    ),
  ];
}

/** For each run the words that not all have; none where nothing tells them apart. */
export function toDifferingWords(runs: readonly RunSettings[]): readonly (readonly string[])[] {
  const all = runs.map(toWords);
  const isShared = (all[0] ?? []).map((word, at) => all.every((words) => words[at] === word));
  return all.map((words) => words.filter((word, at): word is string => word !== null && !isShared[at]));
}

/** All words of a run. */
export const toSettingWords = (run: RunSettings): readonly string[] =>
  toWords(run).filter((word): word is string => word !== null);
