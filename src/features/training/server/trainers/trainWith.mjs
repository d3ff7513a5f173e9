// The trainers of other frameworks: hands a job of the studio to one of them, turns what it prints into the events of the
// protocol (shared/contract/training/trainerProtocol.ts), and names the folder with its weights. No packages.
// node trainWith.mjs FRAMEWORK [--model NAME=WEIGHTS]... [--env FOLDER] [--rewards FOLDER] [--set SETTING=VALUE]... JOB.json
import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const IS_WINDOWS = process.platform === 'win32';
/** Tokens of a row; a longer one is cut. */
const toMostTokens = ({ max_length = 2048 }) => max_length;
const toWarmUp = ({ warmup_steps = 10 }) => warmup_steps;
/** What they call `constant` leaves out the warm-up. */
const toScheduler = ({ scheduler = 'cosine' }) => (scheduler === 'constant' ? 'constant_with_warmup' : scheduler);
/** Under the names that all of them but Unsloth have. */
const toLoraExtras = ({ dropout }) => (dropout === undefined ? {} : { lora_dropout: dropout });
const toDecay = ({ weight_decay }) => (weight_decay === undefined ? {} : { weight_decay });

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

function fail(reason, what_to_do) {
  say({ type: 'failure', reason, what_to_do });
  process.exit(1);
}

/** The settings of the trainer of Hugging Face, which most of the frameworks pass on. */
const toCommon = ({ job, hasHeldOut, hasGpu }) => ({
  num_train_epochs: job.n_epochs,
  per_device_train_batch_size: job.batch_size,
  gradient_accumulation_steps: 1,
  learning_rate: job.learning_rate,
  lr_scheduler_type: toScheduler(job),
  warmup_steps: toWarmUp(job),
  ...toDecay(job),
  seed: job.seed,
  // Each step is a point of the curve.
  logging_steps: 1,
  save_strategy: 'epoch',
  report_to: 'none',
  ...(hasHeldOut && { eval_strategy: 'epoch', per_device_eval_batch_size: job.batch_size }),
  ...(!hasGpu && { use_cpu: true, bf16: false }),
});

/** Answers to one prompt that GRPO compares: a batch of answers holds those of whole prompts. */
function toGenerations({ batch_size: batch }) {
  for (let count = Math.min(8, batch); count > 1; count -= 1) if (batch % count === 0) return count;
  return fail(
    `GRPO compares 2 to 8 answers to each prompt, and the batch of ${batch} can't be parted so.`,
    'Take a batch such as 8 or 16.',
  );
}

/** What TRL's commands have of their own. Only the answers of sft are masked by a setting. */
function toObjectiveSettings(job) {
  const beta = job.beta === undefined ? {} : { beta: job.beta };
  // By default it switches off the dropout of the adapter too (TRL 1.16).
  const dropout = job.lora?.dropout ? { disable_dropout: false } : {};
  switch (job.objective ?? 'sft') {
    case 'dpo':
      return { max_length: toMostTokens(job), ...beta, ...dropout };
    case 'kto':
      return {
        max_length: toMostTokens(job),
        ...beta,
        ...dropout,
        ...(job.desirable_weight !== undefined && { desirable_weight: job.desirable_weight }),
        ...(job.undesirable_weight !== undefined && { undesirable_weight: job.undesirable_weight }),
      };
    case 'grpo':
      return {
        ...beta,
        // The file and the function in it have one name.
        reward_funcs: [`${job.reward_function}.${job.reward_function}`],
        num_generations: toGenerations(job),
        max_completion_length: Math.min(256, toMostTokens(job)),
        log_completions: true,
      };
    default:
      return { max_length: toMostTokens(job), completion_only_loss: true };
  }
}

const writeConfig = (path, config) => {
  // JSON is YAML too.
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
};

/**
 * How each framework is called. `rows` has train.jsonl and validation.jsonl; the weights go to `output`; `toConfig` writes a file.
 * `imports` must be there before the first step; `needsTemplate`: it takes the chat template of the base.
 */
const FRAMEWORKS = {
  // https://huggingface.co/docs/trl/clis
  trl: {
    program: 'trl',
    imports: ['trl', 'peft', 'datasets'],
    install: 'pip install "trl[peft]>=1.1"',
    needsTemplate: true,
    toArguments: ({ job, weights, rows, output, toConfig, ...rest }) => [
      job.objective ?? 'sft',
      '--config',
      toConfig({
        model_name_or_path: weights,
        dataset_name: rows,
        dataset_train_split: 'train',
        ...(rest.hasHeldOut && { dataset_test_split: 'validation' }),
        ...toObjectiveSettings(job),
        ...(job.lora && {
          use_peft: true,
          lora_r: job.lora.rank,
          lora_alpha: job.lora.alpha,
          lora_target_modules: job.lora.target_modules ?? 'all-linear',
          ...toLoraExtras(job.lora),
        }),
        ...(job.training_type === 'qlora' && { load_in_4bit: true }),
        ...toCommon({ job, ...rest }),
        ...(job.objective === 'grpo' && rest.hasHeldOut && { per_device_eval_batch_size: toGenerations(job) }),
        output_dir: output,
      }),
    ],
  },
  // https://docs.axolotl.ai/docs/config-reference.html
  axolotl: {
    program: 'axolotl',
    // It starts this one by its name.
    helpers: ['accelerate'],
    imports: ['axolotl', 'peft'],
    install: 'pip install axolotl',
    needsTemplate: true,
    toArguments: ({ job, weights, rows, rowCount, output, toConfig, hasHeldOut, hasGpu }) => {
      const steps = Math.ceil(rowCount / job.batch_size) * job.n_epochs;
      const toRows = (name) => [
        {
          path: join(rows, name),
          ds_type: 'json',
          split: 'train',
          type: 'chat_template',
          field_messages: 'messages',
          message_field_training: 'weight',
          message_field_training_detail: 'train_detail',
        },
      ];
      return [
        'train',
        toConfig({
          base_model: weights,
          datasets: toRows('train.jsonl'),
          ...(hasHeldOut && { test_datasets: toRows('validation.jsonl'), eval_strategy: 'epoch' }),
          ...(job.lora && {
            adapter: job.training_type,
            lora_r: job.lora.rank,
            lora_alpha: job.lora.alpha,
            ...(job.lora.target_modules
              ? { lora_target_modules: job.lora.target_modules }
              : { lora_target_linear: true }),
            ...toLoraExtras(job.lora),
          }),
          // Its own kernels need a graphics card.
          ...(!hasGpu && { bf16: false, lora_mlp_kernel: false, lora_qkv_kernel: false, lora_o_kernel: false }),
          ...(job.training_type === 'qlora' && { load_in_4bit: true }),
          sequence_len: toMostTokens(job),
          micro_batch_size: job.batch_size,
          gradient_accumulation_steps: 1,
          // It stops after ceil(rows * epochs / batch) steps, though the last batch of each epoch has fewer rows.
          num_epochs: (steps * job.batch_size - 0.5) / rowCount,
          learning_rate: job.learning_rate,
          lr_scheduler: toScheduler(job),
          optimizer: 'adamw_torch',
          warmup_steps: toWarmUp(job),
          ...toDecay(job),
          seed: job.seed,
          logging_steps: 1,
          save_strategy: 'epoch',
          output_dir: output,
        }),
      ];
    },
  },
  // https://llamafactory.readthedocs.io/en/latest/
  'llama-factory': {
    program: 'llamafactory-cli',
    imports: ['llamafactory', 'peft'],
    install: 'pip install llamafactory',
    needsTemplate: true,
    toArguments: ({ job, weights, rows, output, toConfig, ...rest }) => {
      const tags = { role_tag: 'role', content_tag: 'content', user_tag: 'user', assistant_tag: 'assistant' };
      const toEntry = (file_name) => ({
        file_name,
        formatting: 'sharegpt',
        columns: { messages: 'messages', tools: 'tools' },
        tags: { ...tags, system_tag: 'system', observation_tag: 'tool', function_tag: 'function' },
      });
      writeConfig(join(rows, 'dataset_info.json'), {
        training: toEntry('train.jsonl'),
        validation: toEntry('validation.jsonl'),
      });
      return [
        'train',
        toConfig({
          model_name_or_path: weights,
          stage: 'sft',
          do_train: true,
          finetuning_type: job.lora ? 'lora' : 'full',
          ...(job.lora && {
            lora_rank: job.lora.rank,
            lora_alpha: job.lora.alpha,
            lora_target: job.lora.target_modules?.join(',') ?? 'all',
            ...toLoraExtras(job.lora),
          }),
          ...(job.training_type === 'qlora' && { quantization_bit: 4 }),
          dataset_dir: rows,
          dataset: 'training',
          ...(rest.hasHeldOut && { eval_dataset: 'validation' }),
          cutoff_len: toMostTokens(job),
          // Its rows end with the answer to learn.
          ...(rest.hasMarks && { mask_history: true }),
          ...toCommon({ job, ...rest }),
          output_dir: output,
        }),
      ];
    },
  },
  // https://swift.readthedocs.io/en/latest/Instruction/Command-line-parameters.html
  'ms-swift': {
    program: 'swift',
    imports: ['swift', 'peft'],
    install: 'pip install ms-swift',
    needsTemplate: false,
    toArguments: ({ job, weights, rows, output, settings, ...rest }) => [
      'sft',
      ...Object.entries({
        model: weights,
        // Otherwise it looks for the weights on ModelScope.
        use_hf: true,
        dataset: join(rows, 'train.jsonl'),
        // Otherwise it leaves out rows that its template has no place for, such as those with tools, and ends well.
        strict: true,
        ...(rest.hasHeldOut && { val_dataset: join(rows, 'validation.jsonl') }),
        tuner_type: job.lora ? 'lora' : 'full',
        ...(job.lora && {
          lora_rank: job.lora.rank,
          lora_alpha: job.lora.alpha,
          target_modules: job.lora.target_modules ?? 'all-linear',
          ...toLoraExtras(job.lora),
        }),
        ...(job.training_type === 'qlora' && { quant_method: 'bnb', quant_bits: 4 }),
        max_length: toMostTokens(job),
        truncation_strategy: 'right',
        ...toCommon({ job, ...rest }),
        add_version: false,
        output_dir: output,
        ...settings,
      }).flatMap(([name, value]) => [`--${name}`, value].flat().map(String)),
    ],
  },
  // https://docs.unsloth.ai/
  unsloth: {
    program: IS_WINDOWS ? 'python' : 'python3',
    imports: ['unsloth', 'trl'],
    install: 'pip install unsloth',
    needsTemplate: true,
    toArguments: ({ job, weights, rows, output, toConfig, settings, ...rest }) => [
      fileURLToPath(new URL('./unslothJob.py', import.meta.url)),
      toConfig({
        model: weights,
        max_length: toMostTokens(job),
        lora: job.lora,
        in_4bit: job.training_type === 'qlora',
        training: join(rows, 'train.jsonl'),
        validation: rest.hasHeldOut ? join(rows, 'validation.jsonl') : null,
        arguments: { ...toCommon({ job, ...rest }), ...settings, output_dir: output },
      }),
    ],
  },
};

/** `true`, `0.1` and `["q_proj"]` are what they look like; all else is text. */
function toValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readArguments([name, ...rest]) {
  const jobFile = rest.pop() ?? '';
  const [models, settings] = [{}, {}];
  let [env, rewards] = [null, null];
  for (let at = 0; at < rest.length; at += 2) {
    const [option, value = ''] = [rest[at], rest[at + 1]];
    const [key, text] = [value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)];
    if (option === '--model') models[key] = text;
    else if (option === '--set') settings[key] = toValue(text);
    else if (option === '--env') env = value;
    else if (option === '--rewards' && name === 'trl') rewards = value;
    else
      fail(
        `There is no option ${option} of ${name}.`,
        'Use --model NAME=WEIGHTS, --env FOLDER, --set SETTING=VALUE; of trl also --rewards FOLDER.',
      );
  }
  const framework = Object.hasOwn(FRAMEWORKS, name) ? FRAMEWORKS[name] : null;
  if (framework === null) fail(`There is no framework ${name}.`, `Use one of: ${Object.keys(FRAMEWORKS).join(', ')}.`);
  return { name, framework, job: JSON.parse(readFileSync(jobFile, 'utf8')), models, settings, env, rewards };
}

/** The weights that the framework starts from: a folder, or their name on the hub. */
function findWeights({ base }, models, { needsTemplate }) {
  const { id, file, adapter } = base;
  if (adapter !== null || basename(file ?? '').startsWith('ft-'))
    fail(
      `The run goes on from a model of this studio, a GGUF file, and these frameworks start from weights of a hub or folder.`,
      `Start it from ${id} itself, or from the folder of the earlier run: copy it, and add it with --model.`,
    );
  // One that begins with a dash would be a flag of the programs that get it.
  const weights = models[id] ?? (id.includes('/') && !id.startsWith('-') ? id : null);
  if (weights === null)
    fail(
      `It is not known which weights ${id} has on the hub.`,
      `Add --model ${id}=ORG/NAME, or --model ${id}=/A/FOLDER with the weights, to --trainer.`,
    );
  if (!isAbsolute(weights)) return weights;
  const has = (name) => existsSync(join(weights, name));
  if (!has('config.json'))
    fail(`The folder ${weights} has no config.json.`, 'Give the folder of a model as transformers saves it.');
  const template = has('tokenizer_config.json') ? readFileSync(join(weights, 'tokenizer_config.json'), 'utf8') : '';
  if (needsTemplate && !has('chat_template.jinja') && !template.includes('"chat_template"'))
    fail(
      `The tokenizer in ${weights} has no chat template, so nobody knows how a conversation is written.`,
      'Take an instruct model, or put a chat_template.jinja beside its tokenizer.',
    );
  return weights;
}

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, IS_WINDOWS ? `${name}.exe` : name)).find(isProgram) ?? null;
}

const PROBE = `
import importlib, json, sys
found = {"versions": {}, "problem": None, "gpu": False}
for name in sys.argv[1:]:
    try:
        found["versions"][name] = str(getattr(importlib.import_module(name), "__version__", "?"))
    except BaseException as error:
        found["problem"] = f"{name}: {type(error).__name__}: {error}"
        break
if found["problem"] is None and "torch" in sys.argv:
    import torch
    found["gpu"] = torch.cuda.is_available() or torch.backends.mps.is_available()
print()
print("probe " + json.dumps(found))
`;

/** Looks before the first step whether the framework can be started. Whether it has a graphics card. */
function checkEnvironment(name, { program, helpers = [], imports, install }) {
  const where = 'Give its environment with --env FOLDER, or activate it before the studio starts';
  const path = findProgram(program);
  for (const each of [program, ...helpers])
    if (findProgram(each) === null)
      fail(`${name} can't start: there is no program ${each}.`, `${where}. To install it: ${install}`);
  // A tool that is installed for a person is a link into its own environment.
  const beside = [dirname(path), dirname(realpathSync(path))].flatMap((folder) =>
    ['python', 'python3', 'python.exe'].map((python) => join(folder, python)),
  );
  const python = beside.find(isProgram) ?? findProgram(IS_WINDOWS ? 'python' : 'python3');
  if (python === null) fail(`${name} can't start: there is no Python.`, `${where}.`);
  say({ type: 'log', text: `Looks whether ${python} has ${imports.join(', ')}.` });
  const { stdout, stderr } = spawnSync(python, ['-c', PROBE, 'torch', ...imports], { encoding: 'utf8' });
  const line = /^probe (.*)$/m.exec(stdout ?? '')?.[1];
  const last = (stderr ?? '').trim().split('\n').at(-1);
  const found = line ? JSON.parse(line) : { problem: last || 'Python does not answer', versions: {}, gpu: false };
  if (found.problem !== null)
    fail(`${name} can't start: ${python} can't import ${found.problem}`, `${where}. To install it: ${install}`);
  const versions = Object.entries(found.versions).map((entry) => entry.join(' '));
  say({ type: 'log', text: `${versions.join(', ')}; ${found.gpu ? 'with' : 'without'} a graphics card` });
  return found.gpu;
}

/** `{'loss': 1.2, ...}` of Hugging Face's trainer; newer ones quote their numbers. */
function readMeasures(line) {
  const text = /^\s*(\{'.*\})\s*$/.exec(line)?.[1];
  if (text === undefined) return null;
  const found = new Map();
  for (const [, name, value] of text.matchAll(/'([\w/.-]+)':\s*'?(-?[\d.]+(?:e-?\d+)?|nan|inf)\b/gi))
    found.set(name, Number(value.replace(/^nan$/i, 'NaN').replace(/inf/i, 'Infinity')));
  return found;
}

/** Curves beside the loss: rewards, and what belongs to them. Those of an evaluation have `eval_` before their names. */
const METRIC = /^(?:rewards?\b|logps\/|logits\/|completions\/|kl$|entropy$|frac_reward|clip_ratio)/;
function toMetrics(found, lead) {
  const entries = [...found]
    .filter(([name, value]) => name.startsWith(lead) && METRIC.test(name.slice(lead.length)) && Number.isFinite(value))
    .map(([name, value]) => [name.slice(lead.length), value]);
  return entries.length === 0 ? {} : { metrics: Object.fromEntries(entries) };
}

/** The bar of the steps has no words before it, or `Train:` of ms-swift. Those of a tokenizer, or of loaded files, have others. */
const STEPS_BAR = /^\s*(?:Train:\s*)?\d+%\|[^|]*\|\s*\d+\/(\d+) \[(?!.*examples\/s)/;

/** Emits the events of a line. `logging_steps`: the steps from one line with measures to the next. */
function openReader({ logging_steps = 1 }) {
  let step = 0;
  let isStarted = false;
  const orNull = (value) => (Number.isFinite(value) ? value : null);
  return (line) => {
    const steps = STEPS_BAR.exec(line)?.[1];
    if (steps !== undefined && !isStarted) {
      isStarted = true;
      say({ type: 'start', steps: Number(steps) });
    }
    const found = readMeasures(line);
    if (found?.has('eval_loss'))
      say({ type: 'validation', step, loss: orNull(found.get('eval_loss')), ...toMetrics(found, 'eval_') });
    else if (found?.has('loss')) {
      step += Math.max(1, logging_steps);
      say({
        type: 'progress',
        step,
        loss: orNull(found.get('loss')),
        epoch: orNull(found.get('epoch')),
        learning_rate: orNull(found.get('learning_rate')),
        gradient_norm: orNull(found.get('grad_norm')),
        ...toMetrics(found, ''),
      });
    } else if (!/\d+\/\d+ \[/.test(line)) say({ type: 'log', text: line });
  };
}

/** Lines that say why a program failed. That of a launcher says only that a process of its own did. */
const REASON =
  /^(?:\[rank\d+\]: )?(?!subprocess\.CalledProcessError)(?:[\w.]*(?:Error|Exception|Interrupt)\b|\S+: error: )/;

/** Of the last lines of a program: its newest exception, with the lines of its text; else the last one. */
function toReason(lines) {
  const at = lines.findLastIndex((line) => REASON.test(line));
  const end = lines.findIndex((line, index) => index > at && /^(?:Traceback|During handling|\s+File ")/.test(line));
  return at === -1
    ? (lines.at(-1) ?? '')
    : lines
        .slice(at, end === -1 ? undefined : end)
        .slice(0, 4)
        .map((line) => line.trim())
        .join(' ');
}

/** Axolotl and Unsloth report their use to others. Where nobody answers, Axolotl 0.21 can wait for ever after it has saved. */
const NOT_TRACKED = { DO_NOT_TRACK: '1', UNSLOTH_DISABLE_STATISTICS: '1' };

/** Runs a command. Resolves to its exit code and its reason. */
function run([program, ...args], onLine) {
  say({ type: 'log', text: `$ ${[program, ...args].join(' ')}` });
  return new Promise((resolve) => {
    let lines = [];
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...NOT_TRACKED,
        ...process.env,
        PYTHONUNBUFFERED: '1',
        ...(rewards !== null && {
          PYTHONPATH: [rewards, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
        }),
      },
    });
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        const text = stripVTControlCharacters(line).trimEnd();
        if (text === '') return;
        // Those of the launcher come after those of the program.
        lines = [...lines.slice(-50), text];
        onLine(text);
      });
    child.once('error', ({ code }) => resolve({ code, reason: toReason(lines) }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal, reason: toReason(lines) }));
  });
}

const FILES = {
  peft: { config: 'adapter_config.json', weights: /^adapter_model\.(safetensors|bin)$/ },
  hf: { config: 'config.json', weights: /\.(safetensors|bin)$/ },
};

/** Where the trained weights are: the folder itself, or else its newest checkpoint; null: nowhere. */
function findTrained(output, kind) {
  const { config, weights } = FILES[kind];
  const folders = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name === config && readdirSync(parentPath).some((file) => weights.test(file)))
    .map(({ parentPath }) => parentPath);
  const ageOf = (folder) => (folder === output ? Infinity : statSync(join(folder, config)).mtimeMs);
  return folders.toSorted((one, other) => ageOf(other) - ageOf(one))[0] ?? null;
}

const readRows = (path) =>
  (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

const isLearnt = ({ role, weight }) => role === 'assistant' && weight !== 0;
/** The marks of an answer are the studio's. A framework reads its own. */
function withoutMarks(message) {
  const plain = { ...message };
  delete plain.weight;
  delete plain.marks_disagree;
  return plain;
}

/** A row for each answer that is learnt, with what was said before it. */
const cutAtAnswers = ({ messages, ...row }, toRow) =>
  messages.flatMap((message, at) =>
    isLearnt(message) && at > 0
      ? [{ ...row, ...toRow(messages.slice(0, at).map(withoutMarks), withoutMarks(message)) }]
      : [],
  );

const toCalled = ({ name, arguments: text }) => ({ name, arguments: toValue(text) });

/** Chat templates write arguments as JSON: text would become a string of JSON. */
const withParsedCalls = (message) =>
  message.tool_calls
    ? { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, function: toCalled(call.function) })) }
    : message;

/**
 * LLaMA-Factory's ShareGPT form with OpenAI's names: calls and tools are JSON text, and several results one message. Its own
 * OpenAI form tells rows without tools "detailed thinking off". It drops rows with another order of roles.
 */
function toShareGpt({ messages, tools }) {
  const spoken = [];
  for (const { role, content, tool_calls: calls } of messages) {
    const last = spoken.at(-1);
    if (role === 'tool' && last?.role === 'tool') last.content += `\n${content}`;
    else if (calls)
      spoken.push({ role: 'function', content: JSON.stringify(calls.map((call) => toCalled(call.function))) });
    else spoken.push({ role: role === 'developer' ? 'system' : role, content: content ?? '' });
  }
  return { messages: spoken, tools: tools ? JSON.stringify(tools) : '' };
}

/** Rows as each framework learns the answers that may be learnt. `hasMarks`: some may not. */
const ROWS = {
  // It learns the completion alone.
  trl: (row) =>
    cutAtAnswers(row, (prompt, answer) => ({
      prompt: prompt.map(withParsedCalls),
      completion: [withParsedCalls(answer)],
    })),
  // It reads `weight`.
  axolotl: (row) => [row],
  'llama-factory': (row, hasMarks) =>
    (hasMarks ? cutAtAnswers(row, (before, answer) => ({ messages: [...before, answer] })) : [row]).map(toShareGpt),
  'ms-swift': (row, hasMarks) => [
    hasMarks
      ? {
          ...row,
          messages: row.messages.map((message) =>
            message.role === 'assistant' ? { ...withoutMarks(message), loss: isLearnt(message) } : message,
          ),
        }
      : row,
  ],
  unsloth: (row) => [{ ...row, messages: row.messages.map(withParsedCalls) }],
};

const toTemplated = (messages) => messages.map(withoutMarks).map(withParsedCalls);
const toTools = ({ tools }) => (tools ? { tools } : {});

/** Rows of TRL's other commands; none of a row that has not what the objective learns from. */
const OBJECTIVE_ROWS = {
  dpo: ({ messages, chosen, rejected, ...row }) =>
    chosen && rejected
      ? [
          {
            prompt: toTemplated(messages),
            chosen: toTemplated(chosen),
            rejected: toTemplated(rejected),
            ...toTools(row),
          },
        ]
      : [],
  kto({ messages, chosen, rejected, completion, label, ...row }) {
    const answers =
      chosen && rejected
        ? [
            [chosen, true],
            [rejected, false],
          ]
        : completion
          ? [[completion, label]]
          : [];
    const prompt = toTemplated(messages);
    const tools = toTools(row);
    return answers.map(([answer, isWanted]) =>
      Object.assign({ prompt, completion: toTemplated(answer), label: isWanted }, tools),
    );
  },
  /** `expected`: the answer of the row, for reward functions that compare with it. */
  grpo({ messages, chosen, completion, label, ...row }) {
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    const cut = chosen || completion ? messages.length : last;
    const answer = chosen ?? (label === false ? undefined : completion) ?? messages.slice(cut);
    if (cut < 1) return [];
    const expected = answer.at(-1)?.content ?? '';
    return [{ prompt: toTemplated(messages.slice(0, cut)), expected, ...toTools(row) }];
  },
};

/** Ends where the framework does not learn so, and where rows for DPO and KTO would be prompts alone to it. */
function checkObjective(name, { objective = 'sft', reward_function: reward }, rewards, rows) {
  if (objective !== 'sft' && name !== 'trl')
    fail(
      `${name} is started for single answers here, and the job has the objective ${objective}.`,
      'Train it with trl.',
    );
  if (objective === 'grpo' && (rewards === null || !existsSync(join(rewards, `${reward}.py`))))
    fail(
      `There is no reward function ${reward}${rewards === null ? '' : ` in ${rewards}`}.`,
      `Give a folder with ${reward}.py, in which a function has that name, with --rewards FOLDER.`,
    );
  if (objective === 'sft' && rows.some(({ chosen, completion }) => chosen !== undefined || completion !== undefined))
    fail(
      'There are rows for DPO or KTO, and the job trains single answers.',
      'Start it with that objective, or import the file again with the preferred answers alone.',
    );
}

/** Whether marks forbid to learn an answer. Ends where the framework has no way to obey them. */
function checkMarks(name, rows) {
  const messages = rows.flatMap((row) => row.messages);
  const can = 'Set the rows with such marks aside, or train with';
  if (name !== 'axolotl' && messages.some(({ train_detail }) => train_detail !== undefined))
    fail(
      `Rows say by "train_detail" which parts of an answer are learnt, and ${name} learns whole ones.`,
      `${can} axolotl.`,
    );
  const hasMarks = messages.some(({ role, weight }) => role === 'assistant' && weight === 0);
  if (hasMarks && name === 'unsloth')
    fail('Rows forbid by "weight": 0 to learn some answers, and unsloth would learn them.', `${can} trl.`);
  return hasMarks;
}

/** In an order that the seed decides. */
function shuffle(lines, seed) {
  let state = seed >>> 0;
  for (let at = lines.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [lines[at], lines[other]] = [lines[other], lines[at]];
  }
}

/** Folders of rows are read by their names: `train` and `validation` are splits. Returns how many rows there are. */
function layRows(rows, to, toRows, { objective, seed }) {
  const lines = rows.flatMap(toRows).map((row) => JSON.stringify(row));
  // TRL keeps the order of rows for KTO, and asks the model of each prompt with its neighbour's answer: as both answers of a pair
  // are neighbours, that would be an answer to the same prompt.
  if (objective === 'kto') shuffle(lines, seed);
  if (lines.length > 0) writeFileSync(to, `${lines.join('\n')}\n`);
  return lines.length;
}

const { name, framework, job, models, settings, env, rewards } = readArguments(process.argv.slice(2));
if (env !== null) process.env.PATH = [join(env, IS_WINDOWS ? 'Scripts' : 'bin'), process.env.PATH].join(delimiter);
const weights = findWeights(job, models, framework);
// What quantizes the base of QLoRA is a package of its own in most of them.
const hasGpu = checkEnvironment(
  name,
  job.training_type === 'qlora'
    ? {
        ...framework,
        imports: [...framework.imports, 'bitsandbytes'],
        install: `${framework.install} bitsandbytes`,
      }
    : framework,
);

// The rows go with the run's folder; what is in its output is kept.
const rows = join(dirname(job.data.training), 'rows');
const output = join(job.output, 'weights');
for (const path of [rows, output]) {
  // These frameworks begin again.
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
}
const given = { training: readRows(job.data.training), validation: readRows(job.data.validation) };
const { objective = 'sft' } = job;
checkObjective(name, job, rewards, [...given.training, ...given.validation]);
const hasMarks = checkMarks(name, [...given.training, ...given.validation]);
const toRows = objective === 'sft' ? (row) => ROWS[name](row, hasMarks) : OBJECTIVE_ROWS[objective];
const rowCount = layRows(given.training, join(rows, 'train.jsonl'), toRows, job);
if (rowCount === 0) fail('There are no training rows with an answer to learn.', 'Take another snapshot.');
const hasHeldOut = layRows(given.validation, join(rows, 'validation.jsonl'), toRows, job) > 0;

const toConfig = (config) => writeConfig(join(job.output, `${name}.yaml`), { ...config, ...settings });
const args = framework.toArguments({
  job,
  weights,
  rows,
  rowCount,
  output,
  settings,
  toConfig,
  hasHeldOut,
  hasMarks,
  hasGpu,
});
const trained = await run([findProgram(framework.program), ...args], openReader(settings));
if (trained.code !== 0)
  fail(`${name} ended with ${trained.code}: ${trained.reason}`, 'The log says what it wrote before.');
const kind = job.lora ? 'peft' : 'hf';
const folder = findTrained(output, kind);
if (folder === null) fail(`${name} left no weights in ${output}.`, 'Look for another folder in its log.');
say({ type: 'result', model: { folder, kind }, settings: { seed: job.seed } });
