// For tests: an output folder of torchtune (training/metric_logging.py, recipes/configs/llama3_2/1B_lora_single_device.yaml).

export const FOLDER = 'torchtune/cats';
export const LOG = `${FOLDER}/logs/log_1787393224.txt`;
export const LATER_LOG = `${FOLDER}/logs/log_1787399999.txt`;

export const CONFIG = `output_dir: /tmp/torchtune/cats
model:
  _component_: torchtune.models.llama3_2.lora_llama3_2_1b
  lora_attn_modules:
  - q_proj
  - v_proj
  lora_rank: 64
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: /tmp/Llama-3.2-1B-Instruct/
  output_dir: \${output_dir}
dataset:
  _component_: torchtune.datasets.chat_dataset
  source: json
  data_files: data/cats.json
  packed: false
optimizer:
  _component_: torch.optim.AdamW
  lr: 0.0003
loss:
  _component_: torchtune.modules.loss.LinearCrossEntropyLoss
epochs: 2
metric_logger:
  _component_: torchtune.training.metric_logging.DiskLogger
  log_dir: \${output_dir}/logs
  api_key: secret
`;

export const line = (step: number, loss: number | string): string =>
  `Step ${step} | loss:${loss} lr:0.0003 tokens_per_second_per_gpu:1234.5 peak_memory_active:4.5 \n`;

/** The files of a saved epoch. */
export const epoch = (number: number): Readonly<Record<string, string>> => ({
  [`${FOLDER}/epoch_${number}/adapter_config.json`]: '{"peft_type": "LORA"}',
  [`${FOLDER}/epoch_${number}/adapter_model.safetensors`]: 'weights',
  [`${FOLDER}/recipe_state/recipe_state.pt`]: 'state',
});
