// The rules whose regret is measured: ours, those that others published, and fixed defaults. Pure.
import type { MeasuredRun, Settings, TaskFacts } from '#features/experiments/shared/measured/measuredRun.ts';
import { toMeasuredMode, toMeasuredSettings } from '#features/experiments/shared/measured/measuredSettings.ts';
import {
  RATE_EXPONENTS,
  toBatchSize,
  toEpochs,
  toLearningRate,
  toSignificant,
} from '#features/experiments/shared/measured/hyperparameterRules.ts';

export interface Rule {
  readonly name: string;
  /** `others`: runs on other tasks only. null: the rule says nothing. */
  readonly toSettings: (facts: TaskFacts, others: readonly MeasuredRun[]) => Settings | null;
}

/** The width of the base model, of which Tinker's formula makes a rate. */
const WIDTH = 128;

/** Tinker's rate, with the epochs of OpenAI's cookbook and a batch for these. */
export function toTinker({ rows }: Pick<TaskFacts, 'rows'>, lora: boolean): Settings {
  const n_epochs = toEpochs(rows);
  const batch_size = toBatchSize(rows, n_epochs, lora);
  const rate = toLearningRate({ hidden_size: WIDTH, exponent: RATE_EXPONENTS.llama, isLora: lora, batch_size });
  return { lora, learning_rate: toSignificant(rate), batch_size, n_epochs };
}

const fixed =
  (settings: Settings): Rule['toSettings'] =>
  () =>
    settings;

export const OURS = 'measured on the other tasks (ours)';

export const RULES: readonly Rule[] = [
  {
    name: OURS,
    toSettings: (facts, others) => {
      const lora = toMeasuredMode(facts, others)?.lora ?? false;
      const found = toMeasuredSettings(facts, others, lora);
      if (found === null) return null;
      const { learning_rate, batch_size, n_epochs } = found;
      return { lora, learning_rate: learning_rate.value, batch_size: batch_size.value, n_epochs: n_epochs.value };
    },
  },
  { name: 'Tinker rate, cookbook epochs, LoRA', toSettings: (facts) => toTinker(facts, true) },
  { name: 'Tinker rate, cookbook epochs, full', toSettings: (facts) => toTinker(facts, false) },
  {
    name: 'Unsloth and QLoRA: LoRA, 2e-4, 3 epochs, batch 16',
    toSettings: fixed({ lora: true, learning_rate: 2e-4, batch_size: 16, n_epochs: 3 }),
  },
  {
    name: 'Unsloth and TRL: full, 2e-5, 3 epochs, batch 8',
    toSettings: fixed({ lora: false, learning_rate: 2e-5, batch_size: 8, n_epochs: 3 }),
  },
  {
    name: 'fixed: LoRA, 6e-3, 3 epochs, batch 8',
    toSettings: fixed({ lora: true, learning_rate: 6e-3, batch_size: 8, n_epochs: 3 }),
  },
];
