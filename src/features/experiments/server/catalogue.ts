// The base models that recommendations cover.
import { RATE_EXPONENTS } from '#features/experiments/shared/measured/hyperparameterRules.ts';

export interface BaseModel {
  readonly id: string;
  readonly parameters: string;
  /** The same as a number. */
  readonly weights: number;
  readonly hidden_size: number;
  /** How its learning rate falls with its size. `calibration`: the family it was measured on; null: not on this one. */
  readonly rate: { readonly exponent: number; readonly calibration: string | null };
  /** Set for the model that is trained and served here; the service only recommends the others. */
  readonly local: LocalTraining | null;
}

/** How the local trainer makes batches: rows are packed into sequences of fixed length. */
export interface LocalTraining {
  readonly batch_size: number;
  readonly sequence_tokens: number;
  /** The share of a packed sequence that holds tokens. */
  readonly fill: number;
  readonly bytes_per_token: number;
}

const LLAMA = { exponent: RATE_EXPONENTS.llama, calibration: 'Llama' } as const;
const QWEN = { exponent: RATE_EXPONENTS.qwen, calibration: 'Qwen' } as const;
/** Other families use the weaker dependence on size: at these sizes it gives the lower, safer rate. */
const UNCALIBRATED = { exponent: RATE_EXPONENTS.qwen, calibration: null } as const;

export const LOCAL_BASE_MODEL = 'support-base';
export const LOCAL_WEIGHTS = 1e6;

/** Smallest first. Sizes are those of the models' published configurations. */
export const CATALOGUE: readonly BaseModel[] = [
  {
    id: LOCAL_BASE_MODEL,
    parameters: '1.0M',
    weights: LOCAL_WEIGHTS,
    hidden_size: 128,
    rate: { exponent: RATE_EXPONENTS.llama, calibration: null },
    local: { batch_size: 8, sequence_tokens: 128, fill: 0.9, bytes_per_token: 3 },
  },
  { id: 'smollm-135m', parameters: '135M', weights: 135e6, hidden_size: 576, rate: UNCALIBRATED, local: null },
  { id: 'qwen2.5-0.5b', parameters: '494M', weights: 494e6, hidden_size: 896, rate: QWEN, local: null },
  { id: 'qwen3-0.6b', parameters: '596M', weights: 596e6, hidden_size: 1024, rate: QWEN, local: null },
  { id: 'gemma3-1b', parameters: '1.0B', weights: 1e9, hidden_size: 1152, rate: UNCALIBRATED, local: null },
  { id: 'llama3.2-1b', parameters: '1.24B', weights: 1.24e9, hidden_size: 2048, rate: LLAMA, local: null },
  { id: 'llama3.1-8b', parameters: '8.0B', weights: 8e9, hidden_size: 4096, rate: LLAMA, local: null },
];
