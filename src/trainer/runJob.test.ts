import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainerEvent, TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { readModel, TrainerError } from '#trainer/files/readModel.ts';
import { runJob } from './runJob.ts';
import { ofType, readLines, toRowLines, writeJob, writeTinyBase } from './tinyJob.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'nano-job-'));
const base = join(root, 'base.gguf');
writeTinyBase(base);
afterAll(() => rmSync(root, { recursive: true }));

const LORA = { training_type: 'lora', lora: { rank: 4, alpha: 8 }, learning_rate: 2e-2 } as const;

/** Runs a job; `stopAfter`: as SIGTERM after so many steps would. */
async function run(
  job: TrainerJob,
  stopAfter = Infinity,
  threads = 1,
): Promise<{ readonly end: string; readonly events: readonly TrainerEvent[] }> {
  const events: TrainerEvent[] = [];
  const end = await runJob(job, {
    emit: (event) => events.push(event),
    isStopped: () => ofType(events, 'progress').length >= stopAfter,
    threads,
  });
  return { end, events };
}

const fileOf = (events: readonly TrainerEvent[]): string => {
  const [result] = ofType(events, 'result');
  if (result === undefined || !('file' in result.model)) throw new Error('There is no file.');
  return result.model.file;
};

async function failureOf(job: TrainerJob): Promise<TrainerError> {
  const failure = await run(job).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof TrainerError)) throw new Error(`It did not fail as expected: ${String(failure)}`);
  expect(failure.what_to_do).toMatch(/\.$/);
  return failure;
}

describe('settings that are chosen', () => {
  it('cut rows at the length, and change what a checkpoint belongs to', async () => {
    const folder = join(root, 'chosen');
    const job = writeJob(folder, base, { ...LORA, max_length: 32 });
    writeFileSync(
      job.data.training,
      toRowLines(40).replaceAll(/"content":"(\w+)"/g, `"content":"${'$1 '.repeat(40)}"`),
    );
    const stopped = await run(job, 3);
    expect(stopped.end).toBe('stopped');
    const [start] = ofType(stopped.events, 'start');
    expect(start?.rows_cut).toBe(40);
    const logOf = async (change: Partial<TrainerJob>) =>
      ofType((await run({ ...job, ...change, resume: true }, 1)).events, 'log').map(({ text }) => text);
    expect(await logOf({})).toContain('Goes on after step 3.');
    expect(await logOf({ weight_decay: 0.1 })).toContain('There is no checkpoint of this run: it begins again.');
  });

  it('are refused by their names if the trainer can not do them', async () => {
    const dropout = await failureOf(
      writeJob(join(root, 'dropout'), base, { ...LORA, lora: { rank: 4, alpha: 8, dropout: 0.1 } }),
    );
    expect(dropout.message).toMatch(/computes no dropout/);
    const modules = await failureOf(
      writeJob(join(root, 'modules'), base, { ...LORA, lora: { rank: 4, alpha: 8, target_modules: ['q_proj'] } }),
    );
    expect(modules.message).toMatch(/adapts all matrices/);
  });
});

it('which validation rows are right is told by their place, also after rows that can’t be measured', async () => {
  const job = writeJob(join(root, 'places'), base, LORA);
  const lines = readFileSync(job.data.validation, 'utf8').trim().split('\n');
  const empty = JSON.stringify({ messages: [{ role: 'user', content: 'Say nothing' }] });
  writeFileSync(job.data.validation, [empty, ...lines, empty].join('\n'));
  const [result] = ofType((await run(job)).events, 'result');
  expect(result?.measures?.['rows']).toBe(lines.length);
  expect(result?.right_rows).toMatch(new RegExp(`^-[01]{${lines.length}}-$`));
});

describe.each([
  { title: 'full', change: {} },
  { title: 'lora', change: LORA },
])('a job, $title', ({ title, change }) => {
  let whole: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    whole = await run(writeJob(join(root, title), base, change));
  });

  it('starts, measures each epoch, saves, and leaves a model', () => {
    const { end, events } = whole;
    expect(end).toBe('done');
    const [start] = ofType(events, 'start');
    expect(start).toMatchObject({ rows: 40, rows_cut: 0, rows_left_out: 0 });
    const steps = ofType(events, 'progress');
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: start!.steps }, (_, index) => index + 1));
    expect(steps.at(-1)!.loss!).toBeLessThan(steps[0]!.loss! / 2);
    expect(steps.at(-1)).toMatchObject({ epoch: 3, seconds_left: 0 });
    const measured = ofType(events, 'validation');
    expect(measured).toHaveLength(4);
    for (const { answers = [] } of measured) {
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.length).toBeLessThanOrEqual(10);
      for (const { prompt, expected, answer, is_right } of answers) {
        expect(prompt).toMatch(/^Say /);
        expect(is_right).toBe(answer === expected);
      }
    }
    const [result] = ofType(events, 'result');
    expect(result?.measures).toEqual({
      validation_loss: measured.at(-1)!.loss,
      exact_match: measured.at(-1)!.exact_match,
      rows: 8,
    });
    const right = [...(result?.right_rows ?? '')].filter((row) => row === '1').length;
    expect([result?.right_rows?.length, right / 8]).toEqual([8, result?.measures?.['exact_match']]);
    expect(result?.base_measures).toMatchObject({ validation_loss: measured[0]!.loss });
    expect(result?.model).toMatchObject({ kind: title === 'full' ? 'gguf' : 'adapter' });
    const lines = readLines(events.map((event) => JSON.stringify(event)).join('\n'));
    expect(lines.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('stopped and resumed leaves the same bytes as one that ran through', async () => {
    const job = writeJob(join(root, `${title}-halves`), base, change);
    const first = await run(job, 5);
    expect(first.end).toBe('stopped');
    expect(ofType(first.events, 'checkpoint').at(-1)?.step).toBe(5);
    expect(ofType(first.events, 'result')).toEqual([]);
    const second = await run({ ...job, resume: true });
    expect(ofType(second.events, 'progress')[0]?.step).toBe(6);
    expect(readFileSync(fileOf(second.events)).equals(readFileSync(fileOf(whole.events)))).toBe(true);
    expect(ofType(second.events, 'result')[0]?.base_measures).toEqual(ofType(whole.events, 'result')[0]?.base_measures);
  });
});

describe('a checkpoint', () => {
  it('of a run on several threads is gone on from on as many, with the same bytes', async () => {
    const whole = await run(writeJob(join(root, 'threads'), base), Infinity, 2);
    const alone = await run(writeJob(join(root, 'one-thread'), base));
    const job = { ...writeJob(join(root, 'threads-halves'), base), resume: true };
    await run({ ...job, resume: false }, 5, 2);
    const { events } = await run(job, Infinity, 1);
    expect(ofType(events, 'log').map(({ text }) => text)).toContain('It is trained on 2 threads.');
    expect(readFileSync(fileOf(events)).equals(readFileSync(fileOf(whole.events)))).toBe(true);
    const [one, two] = [alone, whole].map((each) => ofType(each.events, 'progress').map(({ loss }) => loss!));
    expect(two).toHaveLength(one!.length);
    for (const [step, loss] of two!.entries()) expect(loss).toBeCloseTo(one![step]!, 3);
  });

  it('of another rate is not gone on from', async () => {
    const job = writeJob(join(root, 'other'), base);
    await run(job, 3);
    const { events } = await run({ ...job, resume: true, learning_rate: 1e-3 }, 1);
    expect(ofType(events, 'log').map(({ text }) => text)).toContain(
      'There is no checkpoint of this run: it begins again.',
    );
    expect(ofType(events, 'progress')[0]?.step).toBe(1);
  });
});

describe('a job that pauses at a share of its steps', () => {
  it('measures, saves a model to try, and leaves the same bytes in the end as one that ran through', async () => {
    const job = writeJob(join(root, 'paused'), base, LORA);
    const whole = readFileSync(fileOf((await run(job)).events));
    const { steps } = ofType((await run({ ...job, pause_at: 0.2 })).events, 'start')[0]!;
    const step = Math.ceil(steps / 5);
    // As after a kill between the checkpoint and the end: the measure comes once more.
    for (const resume of [false, true]) {
      const { end, events } = await run({ ...job, pause_at: 0.2, resume });
      expect(end).toBe('stopped');
      expect(ofType(events, 'progress')).toHaveLength(resume ? 0 : step);
      expect(ofType(events, 'validation').at(-1)).toMatchObject({ step, loss: expect.any(Number) as number });
      expect(ofType(events, 'checkpoint').at(-1)).toMatchObject({ step, model: { kind: 'adapter' } });
    }
    const { end, events } = await run({ ...job, resume: true });
    expect(end).toBe('done');
    expect(ofType(events, 'progress')[0]?.step).toBe(step + 1);
    expect(readFileSync(fileOf(events)).equals(whole)).toBe(true);
  });

  it('trains to its end where the share leaves no step out', async () => {
    expect((await run(writeJob(join(root, 'unpaused'), base, { ...LORA, n_epochs: 1, pause_at: 1 }))).end).toBe('done');
  });
});

describe('the weights of epochs', () => {
  it('are files to try, of which the last three and the best stay', async () => {
    const job = writeJob(join(root, 'steps'), base, { n_epochs: 6, learning_rate: 1e-2 }, 12);
    const { events } = await run(job);
    const named = ofType(events, 'checkpoint').flatMap(({ step, model }) =>
      model != null && 'file' in model ? [{ step, file: model.file }] : [],
    );
    expect(named).toHaveLength(6);
    const measured = ofType(events, 'validation').filter(({ step }) => step > 0);
    const best = measured.toSorted((one, other) => one.loss! - other.loss!)[0]!.step;
    const kept = new Set([...named.slice(-3).map(({ step }) => step), best]);
    const there = named.filter(({ file }) => existsSync(file)).map(({ step }) => step);
    expect(new Set(there)).toEqual(kept);
    expect(readModel(named.at(-1)!.file).header.values.get('general.name')).toMatch(/-step-\d+$/);
  });
});

describe('a run that goes on from an adapter', () => {
  it('begins where that one ended, with the adapter or in full', async () => {
    const first = await run(writeJob(join(root, 'adapter'), base, { ...LORA, n_epochs: 1 }));
    const adapter = fileOf(first.events);
    const reached = ofType(first.events, 'validation').at(-1)!.loss!;
    const on = { id: 'tiny', file: base, adapter, context: 96 };
    for (const change of [LORA, {}]) {
      const { events } = await run(writeJob(join(root, 'next'), base, { ...change, base: on }), 1);
      expect(Math.abs(ofType(events, 'validation')[0]!.loss! - reached)).toBeLessThan(0.01);
    }
    const other = { ...LORA, lora: { rank: 8, alpha: 8 }, base: on };
    expect((await failureOf(writeJob(join(root, 'rank'), base, other))).message).toMatch(/rank 4 and alpha 8.*rank 8/);
  });
});

describe('a job that can not be done says why', () => {
  it('has too few rows', async () => {
    const failure = await failureOf(writeJob(join(root, 'few'), base, {}, 9));
    expect(failure.message).toContain('There are 9 training rows');
  });

  it('has rows that do not fit, which are counted', async () => {
    const job = writeJob(join(root, 'long'), base);
    const long = (user: string, assistant: string): string =>
      JSON.stringify({
        messages: [
          { role: 'user', content: user },
          { role: 'assistant', content: assistant },
        ],
      });
    const words = 'many words '.repeat(90);
    writeFileSync(job.data.training, [toRowLines(12), long(words, 'x'), long('x', words)].join('\n'));
    const { events } = await run(job, 1);
    expect(ofType(events, 'start')[0]).toMatchObject({ rows: 13, rows_cut: 1, rows_left_out: 1 });
    expect(
      ofType(events, 'log')
        .map(({ text }) => text)
        .join(' '),
    ).toMatch(/1 rows are left out.*96 tokens.*1 rows are longer/s);
  });

  it('has no validation rows: nothing is measured', async () => {
    const job = writeJob(join(root, 'none'), base, { n_epochs: 1 });
    writeFileSync(job.data.validation, '');
    const { events } = await run(job);
    expect(ofType(events, 'validation')).toEqual([]);
    expect(ofType(events, 'result')[0]).not.toHaveProperty('measures');
  });

  it.each([
    ['no file', { id: 'x', file: null, adapter: null, context: null }, /no file of the model x/],
    ['a file that is not there', { id: 'x', file: '/nowhere.gguf', adapter: null, context: null }, /can't be read/],
  ])('has %s', async (_, other, reason) => {
    expect((await failureOf(writeJob(join(root, 'base'), base, { base: other }))).message).toMatch(reason);
  });

  it('has a file that is no model', async () => {
    const file = join(root, 'text.gguf');
    writeFileSync(file, 'hello');
    const job = writeJob(join(root, 'text'), base, { base: { id: 'x', file, adapter: null, context: null } });
    expect((await failureOf(job)).message).toContain('no GGUF file');
  });

  it('has a rate at which it diverges', async () => {
    const job = writeJob(join(root, 'high'), base, { learning_rate: 1e30, n_epochs: 2 });
    const failure = await failureOf(job);
    expect(failure.message).toMatch(/not finite at step|rose/);
    expect(failure.what_to_do).toContain('lower learning rate');
  });
});
