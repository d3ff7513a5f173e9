// 5,000 lines of any kind, from the worker's request through the real recorder into the real database: each run ends, what is
// stored of it can be read, and the next run starts.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { MAX_LINE } from '#trainer/protocol/trainerProtocol.ts';
import { progressSchema } from '#features/training/shared/trainingRecords.ts';
import { MAX_LINES, sentLinesSchema } from '#features/training/shared/worker.ts';
import { openTestTraining } from './testTraining.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const LINES = 5_000;
/** Of one run. One that diverges ends earlier, so that more runs are needed than these make. */
const LINES_OF_RUN = 500;
const RUNS = 40;

const { dataDir, studio } = await keepSample();
await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');
const test = await keep(openTestTraining({ dataDir, studio, trainer: null }));

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '\0',
    '\ud83d',
    '\ude00',
    '\ud83d\ude00',
    '\u001b[31m',
    '\u2028',
    'NaN',
    "'; drop table studio.jobs; --",
  ),
);
const text = fc.oneof(
  { weight: 9, arbitrary: fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')) },
  {
    weight: 1,
    arbitrary: fc.tuple(piece, fc.integer({ min: 100, max: 6_000 })).map(([part, times]) => part.repeat(times)),
  },
);
const number = fc.oneof(
  fc.nat(5_000),
  fc.double(),
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324, 1e21),
);
const anything = fc.oneof(number, text, fc.constant(null), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
/** A field as it should be, mostly. */
const mostly = <Value>(good: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: anything });
const maybe = { requiredKeys: ['type' as const] };
const model = fc.oneof(
  fc.record({ served_as: text }),
  fc.record({ file: text, kind: fc.constantFrom('gguf', 'adapter') }),
);
const answers = fc.array(fc.record({ prompt: text, expected: text, answer: text, is_right: anything }), {
  maxLength: 3,
});
const event = fc.oneof(
  fc.record({ type: fc.constant('start'), steps: mostly(number), rows_cut: number, tokens_per_step: number }, maybe),
  fc.record({ type: fc.constant('progress'), step: mostly(fc.nat(9_000)), loss: mostly(number), epoch: number }),
  fc.record({ type: fc.constant('progress'), step: mostly(number), loss: fc.double(), seconds_left: number }, maybe),
  fc.record(
    { type: fc.constant('validation'), step: mostly(number), loss: number, exact_match: number, answers },
    maybe,
  ),
  fc.record({ type: fc.constant('checkpoint'), step: mostly(number), file: mostly(text), model: mostly(model) }, maybe),
  fc.record({ type: fc.constant('log'), text: mostly(text) }),
  fc.record(
    {
      type: fc.constant('result'),
      model: mostly(model),
      files: fc.array(fc.record({ format: text, file: text }), { maxLength: 2 }),
      measures: fc.dictionary(text, mostly(number)),
      settings: fc.dictionary(fc.oneof(text, fc.constantFrom('optimizer', 'seed', 'warmup_steps', 'rows')), anything),
      decoding: fc.constantFrom('greedy', 'sampled', 'other'),
    },
    maybe,
  ),
  fc.record({ type: fc.constant('failure'), reason: mostly(text), what_to_do: anything }, maybe),
);
const line = fc.oneof(
  { weight: 12, arbitrary: event.map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: event.map((value) =>
      JSON.stringify(value).replaceAll(/\\u([\da-f]{4})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    ),
  },
  { weight: 1, arbitrary: event.map((value) => JSON.stringify(value).replace(/\d+/, '1e999')) },
  { weight: 1, arbitrary: fc.tuple(event, fc.nat(400)).map(([value, at]) => JSON.stringify(value).slice(0, at)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc
      .nat(9_000)
      .map((depth) => `{"type":"log","text":"deep","more":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  },
);

it('no line of a trainer stops its run from ending, or the next one from starting', async () => {
  const lines = fc.sample(line, { numRuns: LINES, seed: 20_261_128 }).map((each) => each.slice(0, MAX_LINE));
  const jobId = await test.create(Array.from({ length: RUNS }, () => ({})));
  const { workers } = test.training;
  const next = () => workers.lease({ name: 'hostile', is_built_in: false });
  const trained: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const lease = await next();
    expect(lease, `no run starts after line ${at}`).not.toBeNull();
    const { lease_id: leaseId, experiment_id: id } = lease!;
    trained.push(id);
    const end = Math.min(at + LINES_OF_RUN, lines.length);
    let from = 0;
    // Until it is ended by what it said.
    while (at < end) {
      const sent = sentLinesSchema.parse({ from, lines: lines.slice(at, Math.min(at + MAX_LINES, end)) });
      const told = await workers.tell({ id: leaseId, run: null }, sent.from, sent.lines);
      at += sent.lines.length;
      if (told === null) break;
      from = told.next;
    }
    await workers.end({ id: leaseId, run: null }, { code: trained.length % 2, signal: null, problem: null });
    await test.until(id, ({ status }) => ['succeeded', 'failed', 'stopped'].includes(status));
  }
  for (const id of trained) {
    const progress = await test.training.findProgress(id, -1);
    expect(progressSchema.safeParse(progress).error).toBeUndefined();
    expect(progress?.reason ?? '').not.toMatch(/database/i);
    expect(await test.training.findLog(id, 0)).not.toBeNull();
  }
  const job = await test.training.describeJob((await test.studio.findJob(jobId))!);
  expect(jobSchema.safeParse(JSON.parse(JSON.stringify(job))).error).toBeUndefined();
  expect(test.log).toEqual([]);
  const lease = await next();
  expect(trained).not.toContain(lease?.experiment_id);
  await workers.tell({ id: lease!.lease_id, run: null }, 0, ['{"type":"result","model":{"served_as":"good"}}']);
  await workers.end({ id: lease!.lease_id, run: null }, { code: 0, signal: null, problem: null });
  await test.until(lease!.experiment_id, ({ status }) => status === 'succeeded');
  await test.training.cancelJob(jobId);
}, 240_000);
