#!/usr/bin/env node
// For tests: stands for a framework's command, and for the scripts of llama.cpp. It checks that it gets what these take.
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const args = process.argv.slice(2);
const name = basename(process.argv[1]);
appendFileSync(process.env.FAKE_CALLS, `${JSON.stringify([name, ...args])}\n`);

if (args[0]?.includes('convert_')) {
  const out = args[args.indexOf('--outfile') + 1];
  if (!existsSync(join(args.at(-1), 'weights'))) process.exit(2);
  copyFileSync(join(args.at(-1), 'weights'), out);
  process.exit(0);
}
const config = name === 'tune' ? null : JSON.parse(readFileSync(args.at(-1), 'utf8'));
const output = config
  ? (config.output_dir ?? config.arguments.output_dir)
  : args.find((arg) => arg.startsWith('output_dir=')).slice('output_dir='.length);
if (process.env.FAKE_FAILS) {
  process.stderr.write('torch.OutOfMemoryError: CUDA out of memory\n');
  process.exit(1);
}
process.stderr.write('  0%|          | 0/2 [00:00<?, ?it/s]\r');
for (const step of [1, 2]) {
  if (name === 'tune')
    process.stdout.write(`Step ${step} | loss:${2 / step} lr:0.001 tokens_per_second_per_gpu:512.5 \n`);
  // Newer versions of Hugging Face's trainer quote their numbers.
  else if (step === 1) process.stdout.write("{'loss': 2.0, 'grad_norm': 1.5, 'learning_rate': 1e-03, 'epoch': 0.5}\n");
  else process.stdout.write("{'loss': '1.0', 'grad_norm': 'nan', 'learning_rate': '5e-04', 'epoch': '1'}\n");
}
if (name !== 'tune') process.stdout.write("{'eval_loss': 0.75, 'eval_runtime': 1.2, 'epoch': 1.0}\n");
const folder = join(output, 'epoch_0');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'adapter_config.json'), '{}');
writeFileSync(join(folder, 'config.json'), '{}');
writeFileSync(join(folder, 'weights'), 'GGUF');
