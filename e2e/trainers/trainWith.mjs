// A trainer for `npm start -- --trainer "node e2e/trainers/trainWith.mjs FRAMEWORK ..."`: hands a job to a framework of
// another kind, turns what it prints into the events of the protocol, and its weights into a GGUF file. No packages.
// node trainWith.mjs trl|axolotl|llama-factory|unsloth|torchtune [--model NAME=HUB]... [--config TORCHTUNE_CONFIG] JOB.json
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PYTHON = process.env.TRAINER_PYTHON ?? 'python3';
/** A checkout of llama.cpp, whose scripts write GGUF files. */
const LLAMA_CPP = process.env.LLAMA_CPP ?? 'llama.cpp';
/** Tokens of a row; a longer one is cut. */
const MOST_TOKENS = 2048;

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

function fail(reason, what_to_do) {
  say({ type: 'failure', reason, what_to_do });
  process.exit(1);
}

function readArguments([framework, ...rest]) {
  const jobFile = rest.pop() ?? '';
  const models = new Map();
  let config = null;
  for (let at = 0; at < rest.length; at += 2) {
    const value = rest[at + 1] ?? '';
    if (rest[at] === '--model') models.set(value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1));
    else if (rest[at] === '--config') config = value;
    else fail(`There is no option ${rest[at]}.`, 'Use --model NAME=HUB and --config NAME.');
  }
  const job = JSON.parse(readFileSync(jobFile, 'utf8'));
  const { id } = job.base;
  // One that begins with a dash would be a flag of the programs that get it.
  const hub = models.get(id) ?? (id.includes('/') && !id.startsWith('-') ? id : null);
  if (hub === null)
    fail(
      `It is not known which weights ${job.base.id} has on the hub.`,
      `Add --model ${job.base.id}=ORG/NAME, or a folder with the weights, to the command of --trainer.`,
    );
  return { framework, job, hub, config };
}

/** The settings of the trainer of Hugging Face, which three of the frameworks pass on. */
const toCommon = ({ job, hasHeldOut }) => ({
  num_train_epochs: job.n_epochs,
  per_device_train_batch_size: job.batch_size,
  gradient_accumulation_steps: 1,
  learning_rate: job.learning_rate,
  lr_scheduler_type: 'cosine',
  warmup_steps: 10,
  seed: job.seed,
  // Each step is a point of the curve.
  logging_steps: 1,
  save_strategy: 'epoch',
  report_to: 'none',
  ...(hasHeldOut && { eval_strategy: 'epoch', per_device_eval_batch_size: job.batch_size }),
});

const writeConfig = (path, config) => {
  // JSON is YAML too.
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
};

/** How each framework is called. `folder` has training.jsonl and validation.jsonl; the weights go to `output`. */
const FRAMEWORKS = {
  // https://huggingface.co/docs/trl/clis
  trl: ({ job, hub, folder, output, ...rest }) => [
    'trl',
    'sft',
    '--config',
    writeConfig(join(folder, '..', 'trl.yaml'), {
      model_name_or_path: hub,
      dataset_name: folder,
      dataset_train_split: 'train',
      ...(rest.hasHeldOut && { dataset_test_split: 'validation' }),
      max_length: MOST_TOKENS,
      completion_only_loss: true,
      ...(job.lora && {
        use_peft: true,
        lora_r: job.lora.rank,
        lora_alpha: job.lora.alpha,
        lora_target_modules: 'all-linear',
      }),
      ...(job.training_type === 'qlora' && { load_in_4bit: true }),
      ...toCommon({ job, ...rest }),
      output_dir: output,
    }),
  ],
  // https://docs.axolotl.ai/docs/config-reference.html
  axolotl: ({ job, hub, folder, output, hasHeldOut }) => {
    const toRows = (name) => [
      { path: join(folder, name), ds_type: 'json', split: 'train', type: 'chat_template', field_messages: 'messages' },
    ];
    return [
      'axolotl',
      'train',
      writeConfig(join(folder, '..', 'axolotl.yaml'), {
        base_model: hub,
        datasets: toRows('train.jsonl'),
        ...(hasHeldOut && { test_datasets: toRows('validation.jsonl'), eval_strategy: 'epoch' }),
        ...(job.lora && {
          adapter: job.training_type,
          lora_r: job.lora.rank,
          lora_alpha: job.lora.alpha,
          lora_target_linear: true,
        }),
        ...(job.training_type === 'qlora' && { load_in_4bit: true }),
        sequence_len: MOST_TOKENS,
        micro_batch_size: job.batch_size,
        gradient_accumulation_steps: 1,
        num_epochs: job.n_epochs,
        learning_rate: job.learning_rate,
        lr_scheduler: 'cosine',
        optimizer: 'adamw_torch',
        warmup_steps: 10,
        seed: job.seed,
        logging_steps: 1,
        save_strategy: 'epoch',
        output_dir: output,
      }),
    ];
  },
  // https://llamafactory.readthedocs.io/en/latest/
  'llama-factory': ({ job, hub, folder, output, ...rest }) => {
    const tags = { role_tag: 'role', content_tag: 'content', user_tag: 'user', assistant_tag: 'assistant' };
    const toEntry = (file_name) => ({
      file_name,
      formatting: 'sharegpt',
      columns: { messages: 'messages' },
      tags: { ...tags, system_tag: 'system' },
    });
    writeConfig(join(folder, 'dataset_info.json'), {
      training: toEntry('train.jsonl'),
      validation: toEntry('validation.jsonl'),
    });
    return [
      'llamafactory-cli',
      'train',
      writeConfig(join(folder, '..', 'llama-factory.yaml'), {
        model_name_or_path: hub,
        stage: 'sft',
        do_train: true,
        finetuning_type: job.lora ? 'lora' : 'full',
        ...(job.lora && { lora_rank: job.lora.rank, lora_alpha: job.lora.alpha, lora_target: 'all' }),
        ...(job.training_type === 'qlora' && { quantization_bit: 4 }),
        dataset_dir: folder,
        dataset: 'training',
        ...(rest.hasHeldOut && { eval_dataset: 'validation' }),
        cutoff_len: MOST_TOKENS,
        ...toCommon({ job, ...rest }),
        output_dir: output,
      }),
    ];
  },
  // https://docs.unsloth.ai/
  unsloth: ({ job, hub, folder, output, ...rest }) => [
    PYTHON,
    join(import.meta.dirname, 'unslothJob.py'),
    writeConfig(join(folder, '..', 'unsloth.json'), {
      model: hub,
      max_length: MOST_TOKENS,
      lora: job.lora,
      in_4bit: job.training_type === 'qlora',
      training: join(folder, 'train.jsonl'),
      validation: rest.hasHeldOut ? join(folder, 'validation.jsonl') : null,
      arguments: { ...toCommon({ job, ...rest }), output_dir: output },
    }),
  ],
  // https://meta-pytorch.org/torchtune/main/recipes/lora_finetune_single_device.html
  torchtune: ({ job, folder, output, config }) => [
    'tune',
    'run',
    job.lora ? 'lora_finetune_single_device' : 'full_finetune_single_device',
    '--config',
    config ??
      fail('torchtune needs a config of the base model.', 'Add --config, such as qwen2_5/0.5B_lora_single_device.'),
    'dataset._component_=torchtune.datasets.chat_dataset',
    'dataset.source=json',
    `dataset.data_files=${join(folder, 'train.jsonl')}`,
    'dataset.split=train',
    'dataset.conversation_column=messages',
    'dataset.conversation_style=openai',
    ...(job.lora ? [`model.lora_rank=${job.lora.rank}`, `model.lora_alpha=${job.lora.alpha}`] : []),
    `epochs=${job.n_epochs}`,
    `batch_size=${job.batch_size}`,
    'gradient_accumulation_steps=1',
    `optimizer.lr=${job.learning_rate}`,
    `seed=${job.seed}`,
    `output_dir=${output}`,
    'metric_logger._component_=torchtune.training.metric_logging.StdoutLogger',
    'log_every_n_steps=1',
  ],
};

/** `{'loss': 1.2, ...}` of Hugging Face's trainer; newer ones quote their numbers. `Step 3 | loss:1.2 lr:...` of torchtune. */
function readMeasures(line) {
  const stdout = /^Step (\d+) \| (.*)$/.exec(line);
  const text = stdout?.[2] ?? /^\s*(\{'.*\})\s*$/.exec(line)?.[1];
  if (text === undefined) return null;
  const found = new Map(stdout ? [['step', Number(stdout[1])]] : []);
  for (const [, name, value] of text.matchAll(/'?(\w+)'?:\s*'?(-?[\d.]+(?:e-?\d+)?|nan|inf)'?/gi))
    found.set(name, Number(value.replace(/^nan$/i, 'NaN').replace(/inf/i, 'Infinity')));
  return found;
}

/** Emits the events of a line. */
function openReader() {
  let step = 0;
  let isStarted = false;
  const orNull = (value) => (Number.isFinite(value) ? value : null);
  return (line) => {
    const bar = /(\d+)\/(\d+) \[/.exec(line);
    if (bar && !isStarted && line.includes('%|')) {
      isStarted = true;
      say({ type: 'start', steps: Number(bar[2]) });
    }
    const found = readMeasures(line);
    if (found?.has('eval_loss')) say({ type: 'validation', step, loss: orNull(found.get('eval_loss')) });
    else if (found?.has('loss')) {
      step = found.get('step') ?? step + 1;
      say({
        type: 'progress',
        step,
        loss: orNull(found.get('loss')),
        epoch: orNull(found.get('epoch')),
        learning_rate: orNull(found.get('learning_rate') ?? found.get('lr')),
        gradient_norm: orNull(found.get('grad_norm')),
        tokens_per_second: orNull(found.get('tokens_per_second_per_gpu')),
      });
    } else if (!bar && line.trim() !== '') say({ type: 'log', text: line });
  };
}

/** Runs a command. Resolves to its exit code and its last line. */
function run([program, ...args], onLine) {
  say({ type: 'log', text: `$ ${[program, ...args].join(' ')}` });
  return new Promise((resolve) => {
    let last = '';
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONUNBUFFERED: '1' },
    });
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        if (line.trim() !== '') last = line.trim();
        onLine(line);
      });
    child.once('error', ({ code }) =>
      resolve({ code: code === 'ENOENT' ? `there is no program ${program}` : code, last }),
    );
    child.once('close', (code, signal) => resolve({ code: code ?? signal, last }));
  });
}

/** The newest folder below `output` that has this file. */
function findFolder(output, file) {
  const entries = readdirSync(output, { recursive: true, withFileTypes: true });
  const found = entries.filter(({ name }) => name === file).map(({ parentPath }) => parentPath);
  return (
    found.toSorted((one, other) => statSync(join(other, file)).mtimeMs - statSync(join(one, file)).mtimeMs)[0] ?? null
  );
}

const toLog = (line) => say({ type: 'log', text: line });

const { framework, job, hub, config } = readArguments(process.argv.slice(2));
const toCommand = FRAMEWORKS[framework];
if (toCommand === undefined)
  fail(`There is no framework ${framework}.`, `Use one of: ${Object.keys(FRAMEWORKS).join(', ')}.`);

const folder = join(job.output, 'rows');
const output = join(job.output, 'weights');
for (const path of [folder, output]) mkdirSync(path, { recursive: true });
/** A row for each answer: TRL learns the completion alone. The other frameworks mask what is not an answer by themselves. */
function toAnswers(line) {
  const { messages, ...row } = JSON.parse(line);
  return messages.flatMap((message, at) =>
    message.role === 'assistant' && at > 0
      ? [JSON.stringify({ ...row, prompt: messages.slice(0, at), completion: [message] })]
      : [],
  );
}

/** Folders of rows are read by their names: `train` and `validation` are splits. false: there are no rows. */
function layRows(from, name) {
  const lines = existsSync(from)
    ? readFileSync(from, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
    : [];
  if (lines.length === 0) return false;
  const rows = framework === 'trl' ? lines.flatMap(toAnswers) : lines;
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  return true;
}
if (!layRows(job.data.training, 'train.jsonl')) fail('There are no training rows.', 'Take another snapshot.');
const hasHeldOut = layRows(job.data.validation, 'validation.jsonl');

const trained = await run(toCommand({ job, hub, folder, output, config, hasHeldOut }), openReader());
if (trained.code !== 0)
  fail(`${framework} ended with ${trained.code}. Its last line: ${trained.last}`, 'The log says what it wrote before.');

const kind = job.lora ? 'adapter' : 'gguf';
const weights = findFolder(output, job.lora ? 'adapter_config.json' : 'config.json');
if (weights === null) fail(`${framework} left no weights in ${output}.`, 'Look for another folder in its log.');
const file = join(job.output, `${kind}.gguf`);
const script = job.lora ? ['convert_lora_to_gguf.py', '--base-model-id', hub] : ['convert_hf_to_gguf.py'];
const [name, ...more] = script;
const converted = await run(
  [PYTHON, join(LLAMA_CPP, name), ...more, '--outtype', 'f16', '--outfile', file, weights],
  toLog,
);
if (converted.code !== 0 || !existsSync(file))
  fail(
    `The weights could not be written as GGUF: ${converted.last || converted.code}`,
    'Set LLAMA_CPP to a checkout of llama.cpp, and install its requirements for TRAINER_PYTHON.',
  );
say({ type: 'result', model: { file, kind }, settings: { seed: job.seed } });
