// Output folders as HF's Trainer, TRL and PEFT leave them. Weights and pickles of states are sizes: they must never be opened.
import { isObject } from '#core/contract/readJson.ts';
import type { TestFiles } from './folder.fixture.ts';
import { SFT_ARGUMENTS } from './trainingArguments.fixture.ts';

type Row = Readonly<Record<string, number | null>>;

/** As `json.dumps(indent=2, sort_keys=True)`, with bare NaN and infinities. */
export function pythonJson(value: unknown, indent = 2): string {
  const mark = (_key: string, inner: unknown): unknown =>
    typeof inner === 'number' && !Number.isFinite(inner) ? `<${inner}>` : sortKeys(inner);
  return JSON.stringify(value, mark, indent).replace(/"<(NaN|-?Infinity)>"/g, '$1');
}

const sortKeys = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** One row every 10 steps, an evaluation every 50, a gradient that became NaN at step 60. */
export const logRows = (lastStep: number): Row[] =>
  Array.from({ length: lastStep / 10 }, (_, i) => 10 * (i + 1)).flatMap((step) => {
    const epoch = step / 100;
    const row = { epoch, grad_norm: step === 60 ? NaN : 0.5, learning_rate: 0.0002, loss: 2 - step / 1000, step };
    return step % 50 === 0 ? [row, { epoch, eval_loss: 1.5 - step / 1000, eval_runtime: 7.9, step }] : [row];
  });

export const SUMMARY_ROW: Row = {
  epoch: 1,
  step: 100,
  total_flos: 1.25e15,
  train_loss: 1.9,
  train_runtime: 63.5,
  train_samples_per_second: 12.6,
  train_steps_per_second: 1.6,
};

export const trainerState = (step: number, changes: Readonly<Record<string, unknown>> = {}): string =>
  pythonJson({
    best_global_step: 50,
    best_metric: 1.45,
    best_model_checkpoint: '/data/me/out/sft/checkpoint-50',
    epoch: step / 100,
    eval_steps: 50,
    global_step: step,
    is_hyper_param_search: false,
    is_local_process_zero: true,
    is_world_process_zero: true,
    log_history: logRows(step),
    logging_steps: 10,
    max_steps: 100,
    num_input_tokens_seen: 0,
    num_train_epochs: 1,
    save_steps: 50,
    stateful_callbacks: { TrainerControl: { args: { should_training_stop: step >= 100 }, attributes: {} } },
    total_flos: 6.2e14,
    train_batch_size: 8,
    trial_name: null,
    trial_params: null,
    ...changes,
  });

export const ADAPTER_CONFIG = pythonJson({
  base_model_name_or_path: 'Qwen/Qwen3-0.6B',
  bias: 'none',
  inference_mode: true,
  lora_alpha: 32,
  lora_dropout: 0.05,
  peft_type: 'LORA',
  peft_version: '0.21.0',
  r: 16,
  target_modules: ['v_proj', 'q_proj'],
  task_type: 'CAUSAL_LM',
});

/** The start of a safetensors file with two LoRA matrices for each layer. */
export function safetensorsHead(rank = 16, layers = 2): Uint8Array {
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  for (let layer = 0; layer < layers; layer += 1) {
    const name = `base_model.model.model.layers.${layer}.self_attn.q_proj`;
    header[`${name}.lora_A.weight`] = { dtype: 'F32', shape: [rank, 100], data_offsets: [0, 0] };
    header[`${name}.lora_B.weight`] = { dtype: 'F32', shape: [200, rank], data_offsets: [0, 0] };
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Uint8Array.from(Buffer.concat([length, json, Buffer.alloc(64)]));
}

/** As TRL writes it at each checkpoint. */
const TRL_CARD = `---
base_model: Qwen/Qwen3-0.6B
library_name: transformers
model_name: sft
tags:
- generated_from_trainer
- sft
- trl
- support-desk
licence: license
---

# Model Card for sft

This model is a fine-tuned version of [Qwen/Qwen3-0.6B](https://huggingface.co/Qwen/Qwen3-0.6B).
It has been trained using [TRL](https://github.com/huggingface/trl).

### Framework versions

- TRL: 1.13.0
- Transformers: 5.18.0
- Pytorch: 2.9.1
- Datasets: 4.4.1

## Citations

- Not: a version
`;

/** As `Trainer.create_model_card` writes it. */
export const HF_CARD = `---
library_name: peft
base_model: meta-llama/Llama-3.2-1B
tags:
- generated_from_trainer
datasets:
- trl-lib/Capybara
- my-org/extra
model-index:
- name: sft
  results: []
---

This model is a fine-tuned version of [meta-llama/Llama-3.2-1B](https://huggingface.co/meta-llama/Llama-3.2-1B) on the trl-lib/Capybara dataset.

### Training hyperparameters

The following hyperparameters were used during training:
- learning_rate: 0.0002
- train_batch_size: 8
- seed: 42
- optimizer: Use adamw_torch with betas=(0.9,0.999) and epsilon=1e-08 and optimizer_args=No additional optimizer arguments
- lr_scheduler_type: cosine
- num_epochs: 1.0

### Training results

| Training Loss | Epoch | Step | Validation Loss |
|:-------------:|:-----:|:----:|:---------------:|
| No log        | 0.5   | 50   | 1.45            |

### Framework versions

- PEFT 0.21.0
- Transformers 5.18.0
`;

/** A checkpoint of a LoRA training, with the files in the order in which they are written. */
export const checkpoint = (folder: string, step: number, state: string | null = trainerState(step)): TestFiles => ({
  [`${folder}/README.md`]: TRL_CARD,
  [`${folder}/adapter_config.json`]: ADAPTER_CONFIG,
  [`${folder}/adapter_model.safetensors`]: safetensorsHead(),
  [`${folder}/training_args.bin`]: SFT_ARGUMENTS,
  [`${folder}/optimizer.pt`]: 2000,
  [`${folder}/scheduler.pt`]: 1000,
  [`${folder}/rng_state.pth`]: 14_000,
  ...(state === null ? {} : { [`${folder}/trainer_state.json`]: state }),
});

/** A LoRA training by TRL that ended, with two checkpoints left of more. */
export const TRL_RUN: TestFiles = {
  ...checkpoint('sft/checkpoint-50', 50),
  ...checkpoint('sft/checkpoint-100', 100),
  'sft/README.md': TRL_CARD,
  'sft/adapter_config.json': ADAPTER_CONFIG,
  'sft/adapter_model.safetensors': safetensorsHead(),
  'sft/training_args.bin': SFT_ARGUMENTS,
  'sft/tokenizer.json': '{}',
};

/** When the files of TRL_RUN were written: the end last. */
export const TRL_TIMES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.keys(TRL_RUN).map((path) => [
    path,
    path.includes('checkpoint-50/') ? 1000 : path.includes('/check') ? 2000 : 3000,
  ]),
);
