// For tests: an adapter folder of mlx-lm 0.32, and its console (tuner/trainer.py of before and after 0.32, cli_ui.py).

export const FOLDER = 'mlx/adapters';

export const CONFIG = `{
    "adapter_path": "adapters",
    "batch_size": 4,
    "data": "data/cats",
    "fine_tune_type": "lora",
    "iters": 200,
    "learning_rate": 1e-05,
    "lora_parameters": {
        "dropout": 0.0,
        "rank": 8,
        "scale": 20.0
    },
    "lr_schedule": null,
    "model": "Qwen/Qwen3-0.6b",
    "num_layers": 16,
    "project_name": null,
    "resume_adapter_file": null,
    "save_every": 100,
    "train": true
}`;

export const OLD_CONSOLE = `Loading pretrained model
Loading datasets
Training
Trainable parameters: 0.482% (2.884M/596.050M)
Starting training..., iters: 200
Iter 1: Val loss 2.901, Val took 3.020s
Iter 10: Train loss 2.345, Learning Rate 1.000e-05, It/sec 1.250, Tokens/sec 512.000, Trained Tokens 5120, Peak mem 2.500 GB
Iter 20: Train loss 2.125, Learning Rate 1.000e-05, It/sec 1.250, Tokens/sec 512.000, Trained Tokens 10240, Peak mem 2.500 GB
Iter 100: Saved adapter weights to adapters/adapters.safetensors and adapters/0000100_adapters.safetensors.
Iter 200: Val loss nan, Val took 3.020s
Saved final weights to adapters/adapters.safetensors.
`;

const grey = (text: string): string => `\u001B[38;5;244m${text}\u001B[0m`;
const green = (text: string): string => `\u001B[1;32m${text}\u001B[0m`;

export const NEW_CONSOLE = [
  '\u001B[1m  iter   train_loss     tok/s     tokens\u001B[0m',
  `  ${grey('   1')}    ${green('val')} 2.901    ${grey('3.02s')}`,
  `  ${grey('  10')}    ${green('2.345 ▼')}    1,512    ${grey('  5.1k')}`,
  `  ${grey('  20')}    val 2.500    3.02s`,
  `  ${grey('  20')}    ${green('2.450 ▲')}      498    ${grey(' 10.2k')}`,
  '  save  0000100_adapters.safetensors',
  '',
].join('\n');
