// A real process with a model of the sample.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toContextPlan } from '#engine/contextPlan.ts';
import { EngineError, type EngineEvent } from '#engine/engine.ts';
import { IDLE, samplePath } from '#engine/sampleModel.fixture.ts';
import { AHEAD, type AnswerOrder, type HostFile } from './hostMessages.ts';
import { openModelHost, type ModelHost } from './modelHost.ts';

const FILE: HostFile = { id: 'base', path: samplePath('support-base.Q8_0.gguf'), adapter: null };
let host: ModelHost;
let model = 0;
beforeAll(async () => {
  host = openModelHost({ gpu: 'off', toEndError: () => new EngineError('It has ended.', 503, 'engine_restarted') });
  const { cores } = await host.started;
  const { number, shape } = await host.loadWeights(FILE, IDLE);
  ({ number: model } = await host.openModel(FILE, number, toContextPlan(shape, 1e9, cores), IDLE));
});
afterAll(() => host.end());

/** Goes on until the context of 512 tokens is full. */
const order = (seed: number): AnswerOrder => ({
  model,
  request: { temperature: 1, seed },
  compiled: { pieces: ['Count:'], grammar: 'root ::= [0-9]+ [a]{600}' },
});

async function readAll(events: AsyncIterable<EngineEvent>): Promise<number> {
  let count = 0;
  for await (const _ of events) count += 1;
  return count;
}

it('waits for a reader who is slow, and then goes on to the end', async () => {
  const slow = host.answer(order(1), IDLE);
  await slow.events.next();
  let isEnded = false;
  void slow.ended.then(() => (isEnded = true));
  for (const seed of [2, 3]) expect(await readAll(host.answer(order(seed), IDLE).events)).toBeGreaterThan(AHEAD);
  expect(isEnded).toBe(false);
  expect(await readAll(slow.events)).toBeGreaterThan(AHEAD);
  await slow.ended;
});

it('frees the context of an answer that is left in the middle, although nobody reads it', async () => {
  const answers = Array.from({ length: 8 }, (_, seed) => host.answer(order(seed), IDLE));
  for (const { events } of answers) await events.next();
  for (const { events } of answers) await events.return();
  await Promise.all(answers.map(({ ended }) => ended));
  expect(await readAll(host.answer(order(9), IDLE).events)).toBeGreaterThan(AHEAD);
});

it('says what is wrong with a file, and goes on', async () => {
  const missing = { ...FILE, path: samplePath('none.gguf') };
  await expect(host.look(missing, IDLE)).rejects.toMatchObject({ status: 503, code: 'model_file_missing' });
  const adapter = { ...FILE, path: samplePath('support-orders-1.lora.F16.gguf') };
  await expect(host.look(adapter, IDLE)).rejects.toMatchObject({ code: 'model_file_damaged' });
  expect(await host.look(FILE, IDLE)).toMatchObject({ weights: { bytes: 1_112_128 }, adapter: null });
});
