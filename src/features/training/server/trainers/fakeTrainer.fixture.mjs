#!/usr/bin/env node
// For tests: stands for the command of a framework, and for the Python beside it.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const args = process.argv.slice(2);
const name = basename(process.argv[1]);

// Which packages there are.
if (args[0] === '-c') {
  const versions = Object.fromEntries(args.slice(2).map((each) => [each, '1.0']));
  const missing = process.env.FAKE_IMPORT;
  const problem = missing in versions ? `${missing}: ImportError: no ${missing}` : null;
  process.stdout.write(`\nprobe ${JSON.stringify({ versions, problem, gpu: process.env.FAKE_GPU === '1' })}\n`);
  process.exit(0);
}
appendFileSync(process.env.FAKE_CALLS, `${JSON.stringify([name, ...args])}\n`);
if (process.env.FAKE_FAILS) {
  process.stderr.write(`${process.env.FAKE_FAILS}\n`);
  process.exit(1);
}
process.stderr.write(`not tracked: ${process.env.DO_NOT_TRACK}\n`);
const isSwift = name === 'swift';
const config = isSwift ? null : JSON.parse(readFileSync(args.at(-1), 'utf8'));
const output = isSwift ? args[args.indexOf('--output_dir') + 1] : (config.output_dir ?? config.arguments.output_dir);
process.stderr.write('Loading checkpoint shards: 100%|####| 3/3 [00:00<00:00, 9.00it/s]\r');
process.stderr.write('Tokenizing train dataset: 100%|####| 39/39 [00:00<00:00, 1203.31 examples/s]\n');
process.stderr.write('100%|####| 39/39 [00:00<00:00, 1203.31 examples/s]\n');
process.stderr.write('\u001b[2K   \u001b[A\n');
process.stderr.write(`${isSwift ? 'Train: ' : ''}  0%|          | 0/2 [00:00<?, ?it/s]\r`);
process.stdout.write("{'loss': 2.0, 'grad_norm': 1.5, 'learning_rate': 1e-03, 'epoch': 0.5}\n");
// Newer versions of Hugging Face's trainer quote their numbers.
process.stdout.write("{'loss': '1.0', 'grad_norm': 'nan', 'learning_rate': '5e-04', 'epoch': '1'}\n");
process.stdout.write("{'eval_loss': 0.75, 'eval_runtime': 1.2, 'epoch': 1.0}\n");
// ms-swift leaves checkpoints alone.
for (const folder of [join(output, 'checkpoint-2'), ...(isSwift ? [] : [output])]) {
  mkdirSync(folder, { recursive: true });
  for (const file of ['adapter_config.json', 'adapter_model.safetensors', 'config.json', 'model.safetensors'])
    writeFileSync(join(folder, file), '{}');
}
