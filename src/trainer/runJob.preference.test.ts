import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TrainerEvent, TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { runJob } from './runJob.ts';
import { ofType, writeJob, writeTinyBase } from './tinyJob.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'preference-job-'));
const base = join(root, 'base.gguf');
writeTinyBase(base);
afterAll(() => rmSync(root, { recursive: true }));

const ask = (content: string) => [{ role: 'user', content }];
const say = (content: string) => [{ role: 'assistant', content }];
const toLines = (count: number, toRow: (index: number) => object): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify(toRow(index))).join('\n');

const toPair = (index: number) => ({ messages: ask(`Say red ${index}`), chosen: say('red'), rejected: say('blue') });
const toLabelled = (index: number) => ({
  messages: ask(`Say red ${index}`),
  completion: say(index % 2 === 0 ? 'red' : 'blue'),
  label: index % 2 === 0,
});

function makeJob(name: string, change: Partial<TrainerJob>, toRow: (index: number) => object): TrainerJob {
  const job = writeJob(join(root, name), base, { n_epochs: 4, learning_rate: 1e-3, ...change });
  writeFileSync(job.data.training, toLines(24, toRow));
  writeFileSync(job.data.validation, toLines(8, toRow));
  return job;
}

async function run(job: TrainerJob, stopAfter = Infinity) {
  const events: TrainerEvent[] = [];
  const isStopped = (): boolean => ofType(events, 'progress').length >= stopAfter;
  const end = await runJob(job, { emit: (event) => events.push(event), isStopped });
  return { end, events };
}

const fileOf = (events: readonly TrainerEvent[]): Buffer => {
  const [result] = ofType(events, 'result');
  return readFileSync(result !== undefined && 'file' in result.model ? result.model.file : '');
};

const LORA = { training_type: 'lora', lora: { rank: 4, alpha: 8 }, learning_rate: 1e-2 } as const;

describe('a job', () => {
  it.each([
    { title: 'dpo', objective: 'dpo', toRow: toPair },
    { title: 'kto of labels', objective: 'kto', toRow: toLabelled },
    { title: 'kto of pairs', objective: 'kto', toRow: toPair },
  ] as const)('of $title learns what is wanted, with its curves and measures', async ({ title, objective, toRow }) => {
    const { end, events } = await run(makeJob(title, { objective, ...LORA }, toRow));
    expect(end).toBe('done');
    const [first, last] = [ofType(events, 'validation')[0], ofType(events, 'validation').at(-1)];
    expect(first?.metrics?.['rewards/margins']).toBeCloseTo(0, 5);
    expect(last?.metrics?.['rewards/margins']).toBeGreaterThan(0.05);
    expect(last?.loss).toBeLessThan(first?.loss ?? 0);
    const names = ofType(events, 'progress').flatMap(({ metrics }) => Object.keys(metrics ?? {}));
    expect(names).toContain('logps/rejected');
    expect(names).toContain(objective === 'dpo' ? 'rewards/accuracies' : 'kl');
    const [result] = ofType(events, 'result');
    const measured = result?.measures?.['preference_accuracy'];
    if (objective === 'dpo') expect(measured).toBe(1);
    else expect(measured).toBeUndefined();
    expect(result?.measures?.['rows']).toBe(toRow === toLabelled ? 4 : 8);
    expect(result?.right_rows).toHaveLength(8);
  });

  it('goes on from a checkpoint with the same bytes, because the reference is that of its first step', async () => {
    for (const [objective, change] of [
      ['dpo', {}],
      ['kto', LORA],
    ] as const) {
      const job = makeJob(`resumed-${objective}`, { objective, ...change }, toPair);
      const whole = fileOf((await run(job)).events);
      expect((await run(job, 3)).end).toBe('stopped');
      const { events } = await run({ ...job, resume: true });
      expect(ofType(events, 'progress')[0]?.step).toBe(4);
      expect(fileOf(events).equals(whole)).toBe(true);
      const other = await run({ ...job, resume: true, beta: 0.2 }, 1);
      expect(ofType(other.events, 'log').map(({ text }) => text)).toContain(
        'There is no checkpoint of this run: it begins again.',
      );
    }
  });

  it('says which rows do not fit its objective', async () => {
    const chat = (index: number) => ({ messages: [...ask(`Say red ${index}`), ...say('red')] });
    for (const [objective, toRow, reason] of [
      ['dpo', toLabelled, /line 1: DPO learns pairs of answers/],
      ['kto', chat, /line 1: KTO learns answers with a label/],
      ['sft', toPair, /line 1: it is for DPO or KTO/],
    ] as const)
      await expect(run(makeJob(`misfit-${objective}`, { objective }, toRow))).rejects.toThrow(reason);
    await expect(run(makeJob('grpo', { objective: 'grpo' }, chat))).rejects.toThrow(/trains no GRPO/);
  });

  it('learns nothing of the answers in a prompt, and all of a call, its result and what is said of it', async () => {
    const row = (index: number) => ({
      messages: [...ask('Say blue'), ...say('blue'), ...ask(`Say red ${index}`)],
      chosen: say('red'),
      rejected: say('blue'),
    });
    const { events } = await run(makeJob('turns', { objective: 'dpo', n_epochs: 1 }, row), 1);
    const plain = await run(makeJob('one-turn', { objective: 'dpo', n_epochs: 1 }, toPair), 1);
    const logpOf = ({ events: all }: { events: readonly TrainerEvent[] }) =>
      ofType(all, 'progress')[0]?.metrics?.['logps/chosen'] ?? 0;
    // As many tokens are learnt as without the earlier turn: a token of random weights takes about the same.
    expect(logpOf({ events }) / logpOf(plain)).toBeGreaterThan(0.7);
    expect(logpOf({ events }) / logpOf(plain)).toBeLessThan(1.4);
  });
});
