// Settings that somebody chose, under the names of each framework.
import { expect, it } from 'vitest';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { MODEL, read, toJob, train, useFrameworks } from './namedTrainers.fixture.ts';

useFrameworks();

const CHOSEN = {
  lora: { rank: 4, alpha: 32, dropout: 0.1, target_modules: ['q_proj', 'v_proj'] },
  seed: 11,
  warmup_steps: 3,
  weight_decay: 0.2,
  max_length: 512,
} as const satisfies Partial<TrainerJob>;
const COMMON = { seed: 11, warmup_steps: 3, weight_decay: 0.2 };
const ANSWER = [{ role: 'assistant', content: 'Hello' }];
const TARGETS = ['q_proj', 'v_proj'];

it.each([
  ['trl', { lora_r: 4, lora_alpha: 32, lora_dropout: 0.1, lora_target_modules: TARGETS, max_length: 512, ...COMMON }],
  [
    'axolotl',
    { lora_r: 4, lora_alpha: 32, lora_dropout: 0.1, lora_target_modules: TARGETS, sequence_len: 512, ...COMMON },
  ],
  [
    'llama-factory',
    { lora_rank: 4, lora_alpha: 32, lora_dropout: 0.1, lora_target: 'q_proj,v_proj', cutoff_len: 512, ...COMMON },
  ],
  ['unsloth', { lora: CHOSEN.lora, max_length: 512, arguments: expect.objectContaining(COMMON) as object }],
] as const)('%s gets each setting that was chosen, by its own name', (framework, settings) => {
  const { calls } = train(
    [framework, ...MODEL],
    toJob({ ...CHOSEN, lora: { ...CHOSEN.lora, target_modules: TARGETS } }),
  );
  const config = read(calls[0]?.at(-1) ?? '');
  expect(config).toMatchObject(settings);
  expect(config).not.toHaveProperty('lora_target_linear');
});

it.each(['dpo', 'kto'] as const)(
  'trl by %s does not switch off the dropout of an adapter, where one was chosen',
  (objective) => {
    const toConfig = (dropout: object) => {
      const job = toJob({ objective, lora: { rank: 4, alpha: 8, ...dropout } });
      const pair = { messages: [{ role: 'user', content: 'Hi' }], chosen: ANSWER, rejected: ANSWER };
      return read(train(['trl', ...MODEL], job, {}, 1, pair).calls[0]?.at(-1) ?? '');
    };
    expect(toConfig({ dropout: 0.1 })).toMatchObject({ lora_dropout: 0.1, disable_dropout: false });
    expect(toConfig({})).not.toHaveProperty('disable_dropout');
  },
);

it.each([
  ['trl', 'linear', 'linear'],
  ['llama-factory', 'cosine', 'cosine'],
  // What they call constant leaves out the warm-up.
  ['axolotl', 'constant', 'constant_with_warmup'],
  ['unsloth', 'constant', 'constant_with_warmup'],
] as const)('%s gets the scheduler %s as %s', (framework, scheduler, name) => {
  const { calls } = train([framework, ...MODEL], toJob({ scheduler }));
  expect(JSON.stringify(read(calls[0]?.at(-1) ?? ''))).toMatch(new RegExp(`"lr_scheduler(_type)?":"${name}"`));
});

it('ms-swift gets each setting that was chosen as flags, and one value for each target module', () => {
  const job = toJob({ ...CHOSEN, lora: { ...CHOSEN.lora, target_modules: TARGETS }, scheduler: 'linear' });
  const flags = train(['ms-swift', ...MODEL], job).calls[0]?.join(' ');
  for (const part of [
    '--lora_rank 4',
    '--lora_alpha 32',
    '--target_modules q_proj v_proj --lora_dropout 0.1',
    '--seed 11',
    '--warmup_steps 3',
    '--weight_decay 0.2',
    '--lr_scheduler_type linear',
    '--max_length 512',
  ])
    expect(flags).toContain(part);
});
