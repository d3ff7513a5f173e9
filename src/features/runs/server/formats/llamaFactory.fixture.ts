// For tests: what LLaMA-Factory 0.9.6 leaves in an output folder (train/callbacks.py, webui/common.py).

export const FOLDER = 'saves/Qwen3-0.6B/lora/cats';
export const LOG = `${FOLDER}/trainer_log.jsonl`;

const TOTAL = 30;

const toLine = (fields: object): string => `${JSON.stringify(fields)}\n`;

const toTimes = (step: number) => ({
  percentage: Math.round((step / TOTAL) * 10_000) / 100,
  elapsed_time: '0:00:31',
  remaining_time: '0:05:50',
});

export const trainLine = (step: number, loss: number): string =>
  toLine({ current_steps: step, total_steps: TOTAL, loss, lr: 1e-4, epoch: step / 10, ...toTimes(step) });

export const evalLine = (step: number, loss: number): string =>
  toLine({ current_steps: step, total_steps: TOTAL, eval_loss: loss, epoch: step / 10, ...toTimes(step) });

/** The Trainer's summary, which has no loss. */
export const lastLine = (): string => toLine({ current_steps: TOTAL, total_steps: TOTAL, epoch: 3, ...toTimes(TOTAL) });

/** A run that only evaluates counts batches. */
export const batchLine = (batch: number): string =>
  toLine({ current_steps: batch, total_steps: 20, ...toTimes(batch) });

/** `USE_V1=1`: v1/utils/callbacks/logging_callback.py. */
export const firstVersionLine = (step: number, loss: number): string =>
  toLine({ epoch: step / 10, loss, grad_norm: 0.5, learning_rate: 1e-4, step, total_steps: TOTAL });

export const RESULTS = `{
    "epoch": 3.0,
    "total_flos": 1234000.0,
    "train_loss": 1.75,
    "train_runtime": 61.5
}`;

/** What the web page writes before it starts the training; command lines write none. */
export const ARGUMENTS = `bf16: true
cutoff_len: 2048
dataset: identity,alpaca_en_demo
dataset_dir: data
do_train: true
finetuning_type: lora
hub_token: hf_x
learning_rate: 5.0e-05
lora_rank: 8
model_name_or_path: Qwen/Qwen3-0.6B
num_train_epochs: 3.0
output_dir: saves/Qwen3-0.6B/lora/cats
stage: sft
`;

export const TRACEBACK = `Traceback (most recent call last):
  File "train.py", line 10, in <module>
    run()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
`;
