// For tests: `debug.log` and the model card of Axolotl 0.18 (cli/config.py, utils/tee.py, train.py).

export const FOLDER = 'outputs/cats';
export const LOG = `${FOLDER}/debug.log`;
export const CARD = `${FOLDER}/README.md`;

export const logLine = (place: string, message: string): string =>
  `[2026-08-22 10:07:04,123] [INFO] [axolotl.${place}:337] [PID:4242] ${message}\n`;

export const CONFIG = {
  adapter: 'qlora',
  base_model: 'Qwen/Qwen3-0.6B',
  datasets: [
    { path: 'me/cats', type: 'alpaca' },
    { ds_type: 'json', path: 'dogs.jsonl' },
  ],
  hub_token: 'hf_x',
  learning_rate: 0.0002,
  lora_r: 16,
  num_epochs: 2.0,
  output_dir: './outputs/cats',
  wandb_api_key: '[REDACTED]',
  wandb_entity: '[REDACTED]',
  wandb_name: 'cats, second try',
  wandb_project: 'pets',
};

/** What the log has before the training: settings, loading bars, and the files that are saved early. */
export const headOf = (config: object): string =>
  logLine('cli.config.load_cfg', `config:\n${JSON.stringify(config, null, 2)}`) +
  '\rLoading weights: 100%|██████████| 310/310 [00:01<00:00, 250.00it/s]\n' +
  'Tokenizing Prompts (num_proc=4): 100%|██████████| 50/50 [00:01<00:00, 40.0 examples/s]\n' +
  logLine('train.save_initial_configs', 'Pre-saving adapter config to ./outputs/cats...') +
  logLine('train.execute_training', 'Starting trainer...');

export const bar = (step: number, total = 20): string =>
  `\r ${Math.round((step / total) * 100)}%|███▌      | ${step}/${total} [00:31<05:50,  1.14s/it]`;

/** A row as the Trainer of transformers 5 prints it: over the bar, which is drawn again. */
export const row = (step: number, loss: string, total = 20): string =>
  `${bar(step - 1, total)}\r${' '.repeat(60)}\r{'loss': '${loss}', 'grad_norm': '0.5', 'learning_rate': '0.0001', 'epoch': '${step / 10}'}\n${bar(step, total)}`;

/** An evaluation has a bar of its own. */
export const evaluation = (step: number, loss: string): string =>
  `\r\u001B[A\r  0%|          | 0/7 [00:00<?, ?it/s]\u001B[A${bar(7, 7)}\u001B[A\r${' '.repeat(60)}\r{'eval_loss': '${loss}', 'eval_runtime': '1.5', 'epoch': '${step / 10}'}\n${bar(step)}`;

export const END =
  "\r{'train_runtime': '61.5', 'train_loss': '1.75', 'epoch': '2'}\n" +
  `${bar(20)}\n` +
  logLine('train.save_trained_model', 'Training completed! Saving trained model to ./outputs/cats.');
export const SAVED = logLine('train.save_trained_model', 'Model successfully saved to ./outputs/cats');

export const TRACEBACK = `\nTraceback (most recent call last):
  File "train.py", line 10, in <module>
torch.OutOfMemoryError: CUDA out of memory.
`;

export const CARD_TEXT = `---
library_name: peft
base_model: Qwen/Qwen3-0.6B
---
[<img src="axolotl-badge-web.png" alt="Built with Axolotl"/>](https://github.com/axolotl-ai-cloud/axolotl)
<details><summary>See axolotl config</summary>

axolotl version: \`0.18.0\`
\`\`\`yaml
base_model: Qwen/Qwen3-0.6B
datasets:
  - path: me/cats
    type: alpaca
rl: dpo
output_dir: ./outputs/cats
hub_token: hf_x
bf16: yes

\`\`\`

</details><br>
`;
