// Jobs that are handed to other frameworks: what they are called with, and what the studio is told of their lines.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAKE, MODEL, read, root, ROW, toJob, train, useFrameworks } from './namedTrainers.fixture.ts';
import { toTrainerCommand, toTrainerName } from './namedTrainers.ts';

useFrameworks();

it.each([
  [
    'trl',
    ['trl', 'sft', '--config'],
    { num_train_epochs: 2, per_device_train_batch_size: 4, lora_r: 8, use_peft: true, use_cpu: true },
  ],
  [
    'axolotl',
    ['axolotl', 'train'],
    { num_epochs: 2.5, micro_batch_size: 4, lora_r: 8, adapter: 'lora', lora_mlp_kernel: false },
  ],
  [
    'llama-factory',
    ['llamafactory-cli', 'train'],
    { num_train_epochs: 2, lora_rank: 8, finetuning_type: 'lora', use_cpu: true },
  ],
  [
    'unsloth',
    ['python3', join(import.meta.dirname, 'unslothJob.py')],
    { lora: { rank: 8, alpha: 16 }, in_4bit: false },
  ],
] as const)('%s gets its config, and its lines become events', (framework, start, settings) => {
  const { status, events, calls } = train([framework, ...MODEL]);
  expect(status).toBe(0);
  const [trained = []] = calls;
  expect(trained.slice(0, -1)).toEqual(start);
  const config = read(trained.at(-1) ?? '');
  expect(config).toMatchObject(settings);
  expect(JSON.stringify(config)).toContain('"learning_rate":0.0005');
  expect(JSON.stringify(config)).toContain('Qwen/Qwen2.5-0.5B-Instruct');
  expect(events.filter(({ type }) => type !== 'log')).toMatchObject([
    // Not the 39 rows of the tokenizer, nor the files that are loaded.
    { type: 'start', steps: 2 },
    { type: 'progress', step: 1, loss: 2, gradient_norm: 1.5, learning_rate: 0.001, epoch: 0.5 },
    { type: 'progress', step: 2, loss: 1, gradient_norm: null, learning_rate: 0.0005, epoch: 1 },
    { type: 'validation', step: 2, loss: 0.75 },
    { type: 'result', model: { kind: 'peft', folder: join(root, 'output', 'weights') } },
  ]);
  // What is in the output folder is kept, and rows are not the model's.
  expect(existsSync(join(root, 'output', 'rows'))).toBe(false);
});

it('ms-swift gets flags, and its bar has a word before it', () => {
  const { status, events, calls } = train(['ms-swift', ...MODEL, '--set', 'template=chatml']);
  expect(status).toBe(0);
  const flags = calls[0]?.slice(2) ?? [];
  expect(calls[0]?.slice(0, 2)).toEqual(['swift', 'sft']);
  const settings = Object.fromEntries(flags.flatMap((flag, at) => (at % 2 === 0 ? [[flag, flags[at + 1]]] : [])));
  expect(settings).toMatchObject({
    '--model': 'Qwen/Qwen2.5-0.5B-Instruct',
    '--tuner_type': 'lora',
    '--lora_rank': '8',
    '--learning_rate': '0.0005',
    '--template': 'chatml',
    // A row that it can't write ends the job: by default it is left out without a word.
    '--strict': 'true',
  });
  expect(events.find(({ type }) => type === 'start')).toMatchObject({ steps: 2 });
  // It saves only checkpoints: the newest one.
  expect(events.at(-1)).toMatchObject({ model: { folder: join(root, 'output', 'weights', 'checkpoint-2') } });
});

it.each([
  ['trl', { use_peft: true, load_in_4bit: true }],
  ['axolotl', { adapter: 'qlora', load_in_4bit: true }],
  ['llama-factory', { finetuning_type: 'lora', quantization_bit: 4 }],
  ['unsloth', { lora: { rank: 8, alpha: 16 }, in_4bit: true }],
  ['ms-swift', { '--tuner_type': 'lora', '--quant_method': 'bnb', '--quant_bits': '4' }],
])('%s quantizes the base of QLoRA, and can not start without the package that does', (framework, settings) => {
  const job = toJob({ training_type: 'qlora' });
  const { calls } = train([framework, ...MODEL], job);
  const [called = []] = calls;
  const flags = called.map((flag, at) => [flag, called[at + 1]]);
  expect(framework === 'ms-swift' ? Object.fromEntries(flags) : read(called.at(-1) ?? '')).toMatchObject(settings);
  const { status, events } = train([framework, ...MODEL], job, { FAKE_IMPORT: 'bitsandbytes' });
  expect(status).toBe(1);
  expect(events.at(-1)).toMatchObject({ what_to_do: expect.stringMatching(/pip install .* bitsandbytes$/) as string });
  expect(train([framework, ...MODEL], toJob(), { FAKE_IMPORT: 'bitsandbytes' }).status).toBe(0);
});

it.each([
  [1, 2, 4],
  [3, 4, 5],
  [2, 3, 10],
])('Axolotl takes each step of all epochs: %i of a batch, %i epochs, %i rows', (batch_size, n_epochs, rows) => {
  const { calls } = train(['axolotl', ...MODEL], toJob({ batch_size, n_epochs }), {}, rows);
  const asked = Number(read(calls[0]?.at(-1) ?? '')['num_epochs']);
  expect(Math.ceil((rows * asked) / batch_size)).toBe(Math.ceil(rows / batch_size) * n_epochs);
});

it('a trainer is called by its name, and a command by its words', () => {
  expect(toTrainerName(toTrainerCommand(['trl', '--env', '/venv'], root))).toBe('trl --env /venv');
  expect(toTrainerName(['python', 'train.py'])).toBe('python train.py');
  expect(toTrainerCommand(['python', 'trl'], root)).toEqual(['python', 'trl']);
});

it('--set changes what the framework gets', () => {
  const { calls } = train(['trl', ...MODEL, '--set', 'warmup_steps=0.1', '--set', 'optim=sgd']);
  expect(read(calls[0]?.at(-1) ?? '')).toMatchObject({ warmup_steps: 0.1, optim: 'sgd' });
});

it('a graphics card is used where there is one', () => {
  const { calls } = train(['trl', ...MODEL], toJob(), { FAKE_GPU: '1' });
  expect(read(calls[0]?.at(-1) ?? '')['use_cpu']).toBeUndefined();
});

it.each([
  [{}, '1'],
  [{ DO_NOT_TRACK: '0' }, '0'],
])('a framework does not report its use, unless somebody allows it: %j', (env, told) => {
  const { events } = train(['axolotl', ...MODEL], toJob(), env);
  expect(events).toContainEqual({ type: 'log', text: `not tracked: ${told}` });
});

it('programs of --env come before those of PATH', () => {
  const env = join(root, 'venv');
  mkdirSync(join(env, 'bin'), { recursive: true });
  for (const name of ['trl', 'python']) symlinkSync(FAKE, join(env, 'bin', name));
  const { status, events } = train(['trl', ...MODEL, '--env', env]);
  expect(status).toBe(0);
  const texts = events.flatMap((event) => (event.type === 'log' ? [event.text] : []));
  expect(texts.find((text) => text.startsWith('$ '))).toContain(`${join(env, 'bin', 'trl')} sft`);
  expect(texts[0]).toContain(join(env, 'bin', 'python'));
});

it('a base model whose name is a flag is handed to no program', () => {
  const { base } = toJob();
  const { status, events, calls } = train(['trl'], toJob({ base: { ...base, id: '--outfile=/etc/x' } }));
  expect([status, calls]).toEqual([1, []]);
  expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('not known which weights') as string });
});

it('TRL gets a row for each answer; all weights are a whole model', () => {
  const { events, calls } = train(['trl', ...MODEL], toJob({ training_type: 'full', lora: null }));
  const config = read(calls[0]?.at(-1) ?? '');
  expect(config['use_peft']).toBeUndefined();
  const rows = readFileSync(join(String(config['dataset_name']), 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(rows).toHaveLength(6);
  expect(JSON.parse(rows[1] ?? '')).toEqual({ prompt: ROW.messages.slice(0, 3), completion: ROW.messages.slice(3) });
  expect(events.at(-1)).toMatchObject({ type: 'result', model: { kind: 'hf' } });
});

const [ASK, ANSWER, BYE, LAST] = ROW.messages;
const MARKED = { messages: [ASK, { ...ANSWER, weight: 0 }, BYE, LAST] };

it.each([
  ['trl', { prompt: ROW.messages.slice(0, 3), completion: [LAST] }, {}],
  [
    'axolotl',
    MARKED,
    { datasets: [{ message_field_training: 'weight', message_field_training_detail: 'train_detail' }] },
  ],
  ['llama-factory', { ...ROW, tools: '' }, { mask_history: true }],
  ['ms-swift', { messages: [ASK, { ...ANSWER, loss: false }, BYE, { ...LAST, loss: true }] }, {}],
] as const)('%s learns no answer that marks forbid: rows and settings are its own', (framework, row, settings) => {
  const { status, calls } = train([framework, ...MODEL], toJob(), {}, 3, MARKED);
  expect(status).toBe(0);
  const rows = readFileSync(join(root, 'rows', 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(rows.map((line) => JSON.parse(line) as unknown)).toEqual([row, row, row]);
  if (framework !== 'ms-swift') expect(read(calls[0]?.at(-1) ?? '')).toMatchObject(settings);
});

const TOOLS = [{ type: 'function', function: { name: 'find' } }];
const toCall = (given: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: given } }],
});
const FOUND = { role: 'tool', tool_call_id: 'c1', content: 'here' };
const WITH_CALL = { messages: [ASK, toCall('{"id":7}'), FOUND, { ...FOUND, content: 'there' }, LAST], tools: TOOLS };

it('LLaMA-Factory gets calls and tools as text, and their results as one message', () => {
  expect(train(['llama-factory', ...MODEL], toJob(), {}, 1, WITH_CALL).status).toBe(0);
  expect(read(join(root, 'rows', 'train.jsonl'))).toEqual({
    messages: [
      ASK,
      { role: 'function', content: '[{"name":"find","arguments":{"id":7}}]' },
      { role: 'tool', content: 'here\nthere' },
      LAST,
    ],
    tools: JSON.stringify(TOOLS),
  });
  expect(read(join(root, 'rows', 'dataset_info.json'))).toMatchObject({
    training: { columns: { tools: 'tools' }, tags: { observation_tag: 'tool', function_tag: 'function' } },
  });
});

it('TRL gets the arguments of calls as objects, which chat templates write as JSON', () => {
  expect(train(['trl', ...MODEL], toJob(), {}, 1, WITH_CALL).status).toBe(0);
  const [first, second] = readFileSync(join(root, 'rows', 'train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(first).toEqual({ prompt: [ASK], completion: [toCall({ id: 7 })], tools: TOOLS });
  expect(second).toMatchObject({ prompt: [ASK, toCall({ id: 7 }), {}, {}], completion: [LAST] });
});

it('Unsloth gets them as objects too, with the tools', () => {
  expect(train(['unsloth', ...MODEL], toJob(), {}, 1, WITH_CALL).status).toBe(0);
  const [row] = readFileSync(join(root, 'rows', 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(JSON.parse(row ?? '')).toMatchObject({ messages: [ASK, toCall({ id: 7 }), {}, {}, LAST], tools: TOOLS });
});

it.each([
  ['unsloth', { messages: [ASK, { ...ANSWER, weight: 0 }] }, /unsloth would learn them/],
  ['trl', { messages: [ASK, { ...ANSWER, train_detail: [] }] }, /trl learns whole ones/],
  ['trl', { messages: [ASK, { ...ANSWER, weight: 0 }] }, /no training rows with an answer to learn/],
])('%s is not begun where it can not obey the marks of %j', (framework, row, reason) => {
  const { status, events, calls } = train([framework, ...MODEL], toJob(), {}, 3, row);
  expect([status, calls]).toEqual([1, []]);
  expect(events.at(-1)).toMatchObject({ type: 'failure', reason: expect.stringMatching(reason) as string });
});

const BASE = { id: 'qwen2.5-0.5b', file: null, adapter: null, context: null };
it.each([
  ['an unknown option', ['trl', ...MODEL, '--base', 'x'], {}, {}, /There is no option --base of trl/],
  ['a base model that nobody knows', ['trl'], {}, {}, /not known which weights qwen2\.5-0\.5b has/],
  ['a folder without weights', ['trl', '--model', 'qwen2.5-0.5b=/nowhere'], {}, {}, /\/nowhere has no config\.json/],
  [
    'a run that goes on from an adapter',
    ['trl', ...MODEL],
    {},
    { base: { ...BASE, file: '/b.gguf', adapter: '/a.gguf' } },
    /goes on from a model of this studio/,
  ],
  ['packages that do not import', ['trl', ...MODEL], { FAKE_IMPORT: 'peft' }, {}, /can't import peft: ImportError: no/],
  [
    'a framework that fails',
    ['trl', ...MODEL],
    { FAKE_FAILS: 'torch.OutOfMemoryError: CUDA out of memory' },
    {},
    /^trl ended with 1: torch\.OutOfMemoryError: CUDA out of memory$/,
  ],
  [
    'a program that is not there',
    ['trl', ...MODEL],
    { PATH: '/nowhere' },
    {},
    /trl can't start: there is no program trl/,
  ],
])('%s: a failure with its reason', (_, args, env, job, reason) => {
  const { status, events, calls } = train(args, toJob(job), env);
  expect(status).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: 'failure', reason: expect.stringMatching(reason) as string });
  // Before the first step.
  expect(calls).toHaveLength('FAKE_FAILS' in env ? 1 : 0);
});

const LAUNCHER = `Traceback (most recent call last):
  File "/venv/lib/accelerate/commands/launch.py", line 1247, in launch_command
    simple_launcher(args)
subprocess.CalledProcessError: Command '['python', 'sft.py']' returned non-zero exit status 1.`;
it.each([
  ['of a launcher', `ValueError: Target modules x not found\n${LAUNCHER}`, 'ValueError: Target modules x not found'],
  [
    'with more than one line',
    'ImportError: datasets<=4.0.0 is required, but found datasets==5.2.0.\nTo fix: run `pip install datasets<=4.0.0`.',
    'ImportError: datasets<=4.0.0 is required, but found datasets==5.2.0. To fix: run `pip install datasets<=4.0.0`.',
  ],
  [
    'with indented lines',
    `pydantic_core.ValidationError: 1 validation error\nlearning_rate\n  Input should be a valid number\n${LAUNCHER}`,
    'pydantic_core.ValidationError: 1 validation error learning_rate Input should be a valid number',
  ],
  ['of flags', `sft.py: error: unrecognized arguments: --x\n${LAUNCHER}`, 'sft.py: error: unrecognized arguments: --x'],
  ['without an exception', 'Loading\nKilled', 'Killed'],
])('a failure %s is told by its own words', (_, said, reason) => {
  const { events } = train(['axolotl', ...MODEL], toJob(), { FAKE_FAILS: said });
  expect(events.at(-1)).toMatchObject({ type: 'failure', reason: `axolotl ended with 1: ${reason}` });
});

it('steps are counted by the steps between two lines', () => {
  const { events } = train(['trl', ...MODEL, '--set', 'logging_steps=5']);
  expect(events.flatMap((event) => (event.type === 'progress' ? [event.step] : []))).toEqual([5, 10]);
});

it('lines that only clear the screen are left out', () => {
  const { events } = train(['trl', ...MODEL]);
  expect(events.filter((event) => event.type === 'log' && event.text.trim() === '')).toEqual([]);
});

it('a folder of a base without a chat template is refused before the first step', () => {
  const base = join(root, 'base');
  mkdirSync(base);
  writeFileSync(join(base, 'config.json'), '{}');
  const args = ['--model', `qwen2.5-0.5b=${base}`];
  expect(train(['trl', ...args]).events.at(-1)).toMatchObject({
    reason: expect.stringContaining('no chat template') as string,
  });
  // It has templates of its own.
  expect(train(['ms-swift', ...args]).status).toBe(0);
  writeFileSync(join(base, 'chat_template.jinja'), '{{ messages }}');
  expect(train(['trl', ...args]).status).toBe(0);
});
