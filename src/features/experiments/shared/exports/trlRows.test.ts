// Candidates of DPO and KTO as commands of TRL; the programs that write their rows are run by a real Python where there is one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toPackedParameter } from '#features/experiments/shared/packing.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { formatOf, toTestInput } from './exportFormats.fixture.ts';
import type { ExportInput } from './exportInput.ts';

type Compared = 'dpo' | 'kto';

const rowFiles = new Map([['snap', { training: 'x.training.jsonl', validation: 'x.validation.jsonl' }]]);
const toInput = (chosen: Candidate['chosen'], more: Partial<Candidate> = {}, files = rowFiles): ExportInput =>
  toTestInput([toTestCandidate('k', { chosen, ...more })], { validation: new Map([['snap', 5]]), rowFiles: files });
const write = (...given: Parameters<typeof toInput>): string => {
  const input = toInput(...given);
  expect(formatOf('trl').findProblem(input)).toBeNull();
  return formatOf('trl').toText(input);
};
/** The words from `trl` on. */
const toCommand = (text: string): string => {
  const words = toShellWords(text);
  return words.slice(words.indexOf('trl')).join(' ');
};

const CHOSEN = { beta: 0.3, lora_rank: 4, lora_dropout: 0.1, target_modules: ['q_proj', 'v_proj'], seed: 7 } as const;
const REST = { warmup_steps: 3, weight_decay: 0.05, scheduler: 'cosine', max_length: 640 } as const;

it('DPO has its own command, and each setting that was chosen', () => {
  expect(toCommand(write({ objective: 'dpo', ...CHOSEN, ...REST }, { learning_rate_multiplier: 1e-4 }))).toBe(
    'trl dpo --model_name_or_path Qwen/Qwen3-0.6B --dataset_name rows/x.dpo ' +
      '--dataset_test_split validation --eval_strategy epoch --per_device_eval_batch_size 2 --max_length 640 ' +
      '--use_peft --lora_r 4 --lora_alpha 8 --lora_dropout 0.1 --lora_target_modules q_proj v_proj ' +
      '--beta 0.3 --disable_dropout false --num_train_epochs 3 ' +
      '--per_device_train_batch_size 2 --gradient_accumulation_steps 4 --learning_rate 0.0001 ' +
      '--lr_scheduler_type cosine --warmup_steps 3 --optim adamw_torch --weight_decay 0.05 --seed 7 ' +
      '--report_to tensorboard --output_dir outputs/1-qwen3-0-6b-lora-1',
  );
});

it('KTO has its weights, chosen, recorded by a run, or as TRL has them', () => {
  const toWeights = (...given: Parameters<typeof toInput>) =>
    /--beta.*?(?= --num)/.exec(toCommand(write(...given)))?.[0];
  expect(toWeights({ objective: 'kto' })).toBe('--beta 0.1 --desirable_weight 1 --undesirable_weight 1');
  expect(toWeights({ objective: 'kto', beta: 0.2, undesirable_weight: 1.5 })).toBe(
    '--beta 0.2 --desirable_weight 1 --undesirable_weight 1.5',
  );
  const extras = [
    { name: 'method', kind: 'text', value: 'KTO' },
    { name: 'desirable_weight', kind: 'number', value: 0.5 },
    { name: 'beta', kind: 'text', value: '0.7' },
  ] as const;
  expect(toWeights({}, { extras })).toBe('--beta 0.1 --desirable_weight 0.5 --undesirable_weight 1');
  expect(toCommand(write({}, { extras }))).toMatch(/^trl kto .*--per_device_train_batch_size 4 --gradient_acc\S+ 2 /);
  // One answer alone has no other to be compared with.
  expect(toCommand(write({ objective: 'kto' }, { batch_size: 7 }))).toMatch(/--per_device_train_batch_size 7 .*\S+ 1 /);
});

it('all weights have no dropout of an adapter', () => {
  const command = toCommand(write({ objective: 'dpo' }, { training_type: 'full' }));
  expect(command).not.toMatch(/lora|peft|dropout|packing|chat_template_path|eos_token|only_loss/);
});

it('the notes say what a batch and a rate are here', () => {
  const packed = toPackedParameter('8 packed sequences, about 14 rows');
  const text = write({ objective: 'dpo' }, { extras: [packed], reason_for_recommendation: 'About 40 steps.' });
  expect(text).toContain('# batch: 8 pairs a step. ');
  expect(text).toContain('sequences of 128 tokens with whole pairs: measured there: 8 packed sequences, about 14 rows');
  expect(text).toContain('no packing, so a batch is a number of pairs');
  expect(text).toContain('# this config packs no pairs: about 3 x pairs / 8 steps');
  expect(text).toContain('# learning_rate: for DPO already, ');
  expect(text).toContain('pip install "trl[peft]>=1.16"');
  expect(write({ objective: 'kto' })).toContain('# batch: 8 answers a step. ');
});

it('each candidate of an export has its own command and its own form of the rows', () => {
  const objectives = ['sft', 'dpo', 'kto'] as const;
  const text = formatOf('trl').toText(
    toTestInput(
      objectives.map((objective) => toTestCandidate(objective, { chosen: { objective } })),
      { rowFiles },
    ),
  );
  expect(text.match(/^trl \w+/gm)).toEqual(['trl sft', 'trl dpo', 'trl kto']);
  expect(text.match(/^ {2}--dataset_name \S+/gm)?.map((flag) => flag.trim().split(' ')[1])).toEqual([
    'rows/x.messages',
    'rows/x.dpo',
    'rows/x.kto',
  ]);
});

it.each([
  ['dpo', '(prompt, chosen, rejected)'],
  ['kto', '(prompt, completion, label)'],
] as const)('without the rows of a studio a person is told the columns of %s', (objective, columns) => {
  expect(write({ objective }, {}, new Map())).toContain(
    `--dataset_name "\${DATASET:?set it to a dataset on the hub, or a folder with the training rows ${columns} as`,
  );
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

function runProgram(objective: Compared, rows: readonly object[], seed = 42) {
  const words = toShellWords(write({ objective, seed }));
  const at = words.indexOf('-c');
  const variable = `${words[at + 1]?.slice(1) ?? ''}=`;
  const program = words.find((word) => word.startsWith(variable))?.slice(variable.length) ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  const [source, target] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
  try {
    writeFileSync(source, rows.map((row) => `${JSON.stringify(row)}\n`).join('\n'));
    const args = ['-IS', '-c', program, words[at + 2] ?? '', source, target];
    const { status, stderr, stdout } = spawnSync('python3', args, { encoding: 'utf8' });
    if (status !== 0) return { status, said: stderr, written: [] };
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    return { status, said: stdout, written: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const user = { role: 'user', content: 'Where is "Ü"?' };
const say = (content: string, more: object = {}) => [{ role: 'assistant', content, ...more }];
const toCall = (given: unknown) =>
  say('', { tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: given } }] });
const tools = [{ type: 'function' }];
const PAIR = { messages: [user], chosen: say('Here'), rejected: say('No') };

it.skipIf(!hasPython)('DPO gets pairs in the form of TRL, with arguments as objects, and says what is left out', () => {
  const called = { messages: [user, ...toCall('{"id": 7}')], chosen: toCall('{"id": 8}'), rejected: say('No'), tools };
  const { written, said } = runProgram('dpo', [PAIR, called, { messages: [user, ...say('Here')] }]);
  expect(written).toEqual([
    { prompt: [user], chosen: PAIR.chosen, rejected: PAIR.rejected },
    { prompt: [user, ...toCall({ id: 7 })], chosen: toCall({ id: 8 }), rejected: say('No'), tools },
  ]);
  expect(said).toContain('rows without two answers to compare are left out: 1');
});

it.skipIf(!hasPython)('KTO gets answers with a label, a pair as two, in an order that the seed decides', () => {
  const labelled = { messages: [user], completion: say('Where?'), label: false };
  const rows = [...Array.from({ length: 9 }, (_, at) => ({ ...PAIR, chosen: say(`${at}`) })), labelled];
  const { written } = runProgram('kto', rows);
  const ordered = [
    ...rows.slice(0, 9).flatMap((row) => [
      { prompt: [user], completion: (row as typeof PAIR).chosen, label: true },
      { prompt: [user], completion: PAIR.rejected, label: false },
    ]),
    { prompt: [user], completion: labelled.completion, label: false },
  ];
  expect(written).toHaveLength(19);
  expect(new Set(written.map((row) => JSON.stringify(row)))).toEqual(
    new Set(ordered.map((row) => JSON.stringify(row))),
  );
  expect(written).not.toEqual(ordered);
  expect(runProgram('kto', rows).written).toEqual(written);
  expect(runProgram('kto', rows, 43).written).not.toEqual(written);
});

it.skipIf(!hasPython).each([
  ['dpo', { messages: [user], completion: say('Here'), label: true }, /has no row with two answers to compare/],
  ['kto', { messages: [user, ...say('Here')] }, /has no row with an answer and its label/],
  ['dpo', { ...PAIR, chosen: say('Here', { weight: 0 }) }, /forbids? to learn one. Set such rows aside/],
  ['kto', { ...PAIR, chosen: say('Here', { train_detail: [] }) }, null],
  [
    'kto',
    { ...PAIR, rejected: say('No', { train_detail: [{ begin_offset: 0 }] }) },
    /train_detail forbids parts of one/,
  ],
] as const)('rows of which %s would train something else stop the script: %#', (objective, row, reason) => {
  const { status, said } = runProgram(objective, [row]);
  if (reason === null) expect(status).toBe(0);
  else expect([status, said]).toEqual([1, expect.stringMatching(reason)]);
});
