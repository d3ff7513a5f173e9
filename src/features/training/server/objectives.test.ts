import { describe, expect, it } from 'vitest';
import type { RowKinds } from '#features/datasets/server/rowKinds.ts';
import { describeObjectives, findMisfit } from './objectives.ts';
import { findObjectiveRefusal, type Trainer } from './trainer.ts';

const KINDS: RowKinds = { chats: false, pairs: false, labels: false };
const ID = '0a1b2c3d-0000-4000-8000-000000000000';
const NO_RUN = async () => null;
const having = (kinds: Partial<RowKinds>) => async () => ({ ...KINDS, ...kinds });
const TRAINER: Trainer = { name: 'my trainer', command: ['train'] };
const CAN: Trainer = { ...TRAINER, objectives: ['sft', 'dpo', 'grpo'], rewardFunctions: ['exact', 'polite'] };

describe('rows', () => {
  it.each([
    { kinds: { chats: true }, fits: ['sft', 'grpo'] },
    { kinds: { pairs: true }, fits: ['dpo', 'kto', 'grpo'] },
    { kinds: { labels: true }, fits: ['kto', 'grpo'] },
    { kinds: {}, fits: [] },
  ] as const)('of $kinds fit $fits', async ({ kinds, fits }) => {
    const found = [];
    for (const objective of ['sft', 'dpo', 'kto', 'grpo'] as const)
      if ((await findMisfit(having(kinds), 'snapshot', objective)) === null) found.push(objective);
    expect(found).toEqual(fits);
    const described = await describeObjectives(having(kinds), ID, null, NO_RUN);
    expect(described?.objectives.flatMap(({ objective, refusal }) => (refusal === null ? [objective] : []))).toEqual(
      fits,
    );
    expect(described?.reward_functions).toBeNull();
  });

  it('that are compared come with the run to go on from, others with none', async () => {
    const first = async (kinds: Partial<RowKinds>) =>
      (await describeObjectives(having(kinds), ID, null, async () => 'run'))?.first_run_id;
    expect([await first({ pairs: true }), await first({ labels: true }), await first({ chats: true })]).toEqual([
      'run',
      'run',
      null,
    ]);
  });

  it('of no snapshot have nothing to say', async () => {
    expect(await findMisfit(async () => null, 'none', 'dpo')).toBeNull();
    expect(await describeObjectives(async () => null, ID, CAN, NO_RUN)).toBeNull();
  });
});

describe('a trainer', () => {
  it('that announces nothing trains sft alone', () => {
    expect(findObjectiveRefusal(TRAINER, {})).toBeNull();
    expect(findObjectiveRefusal(CAN, { objective: 'kto' })?.reason).toMatch(
      /^My trainer trains sft, dpo, grpo, and not kto/,
    );
    expect(findObjectiveRefusal(TRAINER, { objective: 'dpo' })).toMatchObject({
      name: 'objective',
      reason: expect.stringMatching(
        /^My trainer does not say that it trains dpo\. If it does, add --objectives/,
      ) as string,
    });
  });

  it('has the reward functions that its operator gave it, and is asked for them by name', async () => {
    const refuse = (reward_function: string, rewardFunctions: Trainer['rewardFunctions']) =>
      findObjectiveRefusal(
        { ...CAN, ...(rewardFunctions !== undefined && { rewardFunctions }) },
        { objective: 'grpo', reward_function },
      );
    expect(refuse('polite', undefined)).toBeNull();
    expect(refuse('rude', undefined)?.reason).toContain('It has exact, polite.');
    expect(refuse('rude', [])?.reason).toContain('It has none.');
    expect(refuse('rude', null)).toBeNull();
    const described = await describeObjectives(having({ chats: true }), ID, CAN, NO_RUN);
    expect(described?.reward_functions).toEqual(['exact', 'polite']);
    expect(described?.objectives[2]?.refusal).toContain('no training row has either');
  });
});
