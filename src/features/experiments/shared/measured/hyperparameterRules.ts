// Published rules for epochs, batch and learning rate, as plain arithmetic. Each names its source.

/** OpenAI cookbook, Chat_finetuning_data_prep.ipynb; the cap of 10 is ours. `rows` is at least 1. */
export function toEpochs(rows: number): number {
  const target = 3;
  if (rows * target < 100) return Math.min(10, Math.floor(100 / rows));
  if (rows * target > 25_000) return Math.max(1, Math.floor(25_000 / rows));
  return target;
}

/** The largest batches of our rule: LoRA loses quality above 32 (TRL, "LoRA Without Regret"). */
const MAX_BATCH = { lora: 16, full: 128 } as const;

/** Our own derivation: the largest power of two that leaves about 100 steps or more. */
export function toBatchSize(rows: number, epochs: number, isLora: boolean): number {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, (rows * epochs) / 100)));
  return Math.min(power, isLora ? MAX_BATCH.lora : MAX_BATCH.full);
}

export const toSteps = (rows: number, epochs: number, batchSize: number): number =>
  Math.ceil((rows * epochs) / batchSize);

/** How the rate falls with the hidden size, by family: Tinker cookbook, hyperparam_utils.py. */
export const RATE_EXPONENTS = { llama: 0.781, qwen: 0.0775 } as const;

export interface RateInput {
  readonly hidden_size: number;
  readonly exponent: number;
  readonly isLora: boolean;
  readonly batch_size: number;
}

/** Tinker's rate is for batch 128 and LoRA; full training takes a tenth. Scaling by the square root of the batch is our addition. */
export function toLearningRate({ hidden_size, exponent, isLora, batch_size }: RateInput): number {
  return 5e-5 * (isLora ? 10 : 1) * (2000 / hidden_size) ** exponent * Math.sqrt(batch_size / 128);
}

/** Rounds to three significant digits, so that a payload contains 0.000286 and not 0.00028599999. */
export function toSignificant(value: number): number {
  return Number(value.toPrecision(3));
}
