import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toAnnounced, toTrainerCommand } from './namedTrainers.ts';
import { MODEL, read, root, toJob, train, useFrameworks } from './namedTrainers.fixture.ts';

useFrameworks();

const messages = [{ role: 'user', content: 'Hi' }];
const say = (content: string) => [{ role: 'assistant', content }];
const PAIR = { messages, chosen: say('Hello'), rejected: say('No') };
const LABEL = { messages, completion: say('No'), label: false };

const rowsOf = (): unknown[] =>
  readFileSync(join(root, 'rows', 'train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

function addReward(): readonly string[] {
  mkdirSync(join(root, 'rewards'), { recursive: true });
  writeFileSync(
    join(root, 'rewards', 'exact.py'),
    'def exact(completions, **kwargs): return [0.0 for _ in completions]\n',
  );
  return ['--rewards', 'rewards'];
}

it('trl learns pairs by its dpo command, with beta', () => {
  const { status, calls } = train(['trl', ...MODEL], toJob({ objective: 'dpo', beta: 0.2 }), {}, 2, PAIR);
  expect(status).toBe(0);
  expect(calls[0]?.slice(0, 2)).toEqual(['trl', 'dpo']);
  const config = read(join(root, 'output', 'trl.yaml'));
  expect(config).toMatchObject({ beta: 0.2, max_length: 2048, lora_r: 8 });
  expect(Object.keys(config)).not.toContain('completion_only_loss');
  expect(rowsOf()).toEqual([PAIR, PAIR].map(({ chosen, rejected }) => ({ prompt: messages, chosen, rejected })));
});

it('trl learns labels, or pairs as two, by its kto command', () => {
  const job = toJob({ objective: 'kto', undesirable_weight: 1.5 });
  expect(train(['trl', ...MODEL], job, {}, 1, LABEL).calls[0]?.[1]).toBe('kto');
  expect(read(join(root, 'output', 'trl.yaml'))).toMatchObject({ undesirable_weight: 1.5 });
  expect(rowsOf()).toEqual([{ prompt: messages, completion: LABEL.completion, label: false }]);
  const answers = [
    { prompt: messages, completion: PAIR.chosen, label: true },
    { prompt: messages, completion: PAIR.rejected, label: false },
  ];
  train(['trl', ...MODEL], job, {}, 20, PAIR);
  const laid = rowsOf() as typeof answers;
  for (const answer of answers)
    expect(laid.filter(({ label }) => label === answer.label)).toEqual(Array.from({ length: 20 }, () => answer));
  // TRL compares neighbours, in this order.
  const isSame = laid.filter(({ label }, at) => at % 2 === 1 && label !== laid[at - 1]?.label);
  expect(isSame.length).toBeLessThan(18);
  train(['trl', ...MODEL], job, {}, 20, PAIR);
  expect(rowsOf()).toEqual(laid);
});

it('trl learns from rewards of a function that the operator added, by its name', () => {
  const job = toJob({ objective: 'grpo', reward_function: 'exact', batch_size: 12 });
  const row = { messages: [...messages, ...say('Hello')] };
  expect(train(['trl', ...MODEL, ...addReward()], job, {}, 1, row).calls[0]?.[1]).toBe('grpo');
  expect(read(join(root, 'output', 'trl.yaml'))).toMatchObject({ reward_funcs: ['exact.exact'], num_generations: 6 });
  expect(rowsOf()).toEqual([{ prompt: messages, expected: 'Hello' }]);
});

it.each([
  [['axolotl'], { objective: 'dpo' }, PAIR, /axolotl is started for single answers/],
  [['trl'], {}, PAIR, /There are rows for DPO or KTO/],
  [['trl'], { objective: 'grpo', reward_function: 'rude' }, PAIR, /There is no reward function rude/],
  [
    ['trl', '--rewards', 'rewards'],
    { objective: 'grpo', reward_function: 'exact', batch_size: 11 },
    PAIR,
    /batch of 11/,
  ],
  [['trl'], { objective: 'dpo' }, LABEL, /no training rows with an answer to learn/],
] as const)('%j says why it can not train %j', (words, more, row, reason) => {
  addReward();
  const { status, events } = train([...words, ...MODEL], toJob(more), {}, 3, row);
  expect(status).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: 'failure', reason: expect.stringMatching(reason) as string });
});

it('a trainer announces what it learns from, and trl the functions in the folder of its operator', () => {
  addReward();
  writeFileSync(join(root, 'rewards', 'no-name.py'), '');
  expect(toAnnounced(toTrainerCommand(['trl', '--rewards', 'rewards'], root))).toEqual({
    objectives: ['sft', 'dpo', 'kto', 'grpo'],
    rewardFunctions: ['exact'],
  });
  expect(toAnnounced(toTrainerCommand(['trl'], root)).rewardFunctions).toEqual([]);
  expect(toAnnounced(toTrainerCommand(['axolotl'], root))).toEqual({ objectives: ['sft'] });
  expect(toAnnounced(toTrainerCommand(['node', 'train.mjs'], root))).toEqual({});
  const say = (list: string) => toAnnounced(toTrainerCommand(['node', 'train.mjs', '--objectives', list], root));
  expect(say('dpo,sft')).toEqual({ objectives: ['sft', 'dpo'] });
  expect(() => say('dpo, ppo')).toThrow('There is no objective " ppo"');
});
