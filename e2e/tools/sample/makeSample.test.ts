import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLlama, LlamaLogLevel, type Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { readModel, type ModelSource } from '#trainer/files/readModel.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { openSampleModel } from './askModel.ts';
import { openCorpus } from './corpusRows.ts';
import { makeSample, toSampleNames } from './makeSample.ts';
import { TINY_PLAN } from './plan.ts';
import { toKeptLosses, type RunRecord } from './runExperiment.ts';
import { toBaseRate, trainBase } from './trainBase.ts';

const folder = mkdtempSync(join(tmpdir(), 'sample-'));
const again = mkdtempSync(join(tmpdir(), 'sample-'));
afterAll(() => [folder, again].forEach((path) => rmSync(path, { recursive: true })));

const said: string[] = [];
const link = { say: (line: string): void => void said.push(line), isStopped: () => false };
const readFile = (path: string, name: string): Buffer => readFileSync(join(path, name));

const BYTES = 256;
const tokensOf = ({ header }: ModelSource): readonly unknown[] =>
  header.values.get('tokenizer.ggml.tokens') as readonly unknown[];

beforeAll(async () => {
  expect(await makeSample(folder, TINY_PLAN, link)).toBe('done');
});

describe('a whole sample', () => {
  it('has rows, models and records that agree', () => {
    expect(toSampleNames(folder).toSorted()).toEqual([
      ...['orders', 'preferences', 'replies'].flatMap((name) => [`${name}.train.jsonl`, `${name}.val.jsonl`]),
      'runs.json',
      'support-base.Q8_0.gguf',
      'support-orders-1.Q8_0.gguf',
      'support-triage-1.lora.F16.gguf',
      'triage.train.jsonl',
      'triage.val.jsonl',
    ]);
    const [lora, diverged, full] = JSON.parse(readFile(folder, 'runs.json').toString()) as RunRecord[];
    expect(lora).toMatchObject({ mode: 'lora', training_count: 24, validation_count: 2, failed: null });
    expect(lora?.losses).toHaveLength(lora?.steps ?? 0);
    expect(diverged).toMatchObject({ file: null, last_loss_mean20: null });
    expect(diverged?.failed).toMatch(/loss is not finite at step \d+/);
    expect(diverged?.losses.length).toBe(diverged?.steps);
    expect(Object.keys(full?.held_out ?? {})).toEqual(['rows', 'exact_match', 'validation_loss', 'id_copied']);
    expect(full?.held_out_base.validation_loss).not.toBe(full?.held_out?.validation_loss);
  });

  it('has a base whose tokens hold any text, and of which each is trained', () => {
    const source = readModel(join(folder, 'support-base.Q8_0.gguf'));
    expect(source.shape).toMatchObject({ vocabulary: 480, width: 32 });
    const tokenizer = openTokenizer(source.header);
    const text = 'Où est #731905? 你好 🙂\n\tORD-40218, "Zürich"';
    expect(tokenizer.decode(tokenizer.encode([text]))).toBe(text);
    expect(tokenizer.encode(['40218'])).toHaveLength(3);
    const corpus = openCorpus(source, 7);
    const seen = new Set<number>();
    for (const { tokens } of corpus.toRows(300, { copied: 0.3, covering: 0.1 }))
      for (const token of tokens) seen.add(token);
    const unseen = tokensOf(source).filter((_, index) => index >= BYTES && !seen.has(index));
    expect(unseen).toEqual(['<|endoftext|>']);
  });

  it('is served: llama.cpp reads the base and the adapter, and cuts text as the trainer does', async () => {
    const [base, adapter] = ['support-base.Q8_0.gguf', 'support-triage-1.lora.F16.gguf'].map((name) =>
      join(folder, name),
    ) as [string, string];
    const tokenizer = openTokenizer(readModel(base).header);
    const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false });
    const model = await llama.loadModel({ modelPath: base });
    for (const text of [
      'Où est #731905? 你好 🙂',
      "<|im_start|>user\nHi, it's me<|im_end|>",
      '<tool_call>{"a":1}</tool_call>',
    ])
      expect(tokenizer.encode([text])).toEqual([...model.tokenize(text, true)]);
    const context = await model.createContext({ contextSize: 64, lora: { adapters: [{ filePath: adapter }] } });
    const results = await context
      .getSequence()
      .controlledEvaluate([...model.tokenize('Hi', true), [0 as Token, { generateNext: { token: true } }]]);
    expect(results.at(-1)?.next.token).toBeTypeOf('number');
    await llama.dispose();
  });

  it('has models that answer, the adapter on the base', async () => {
    const file = join(folder, 'support-base.Q8_0.gguf');
    const adapter = join(folder, 'support-triage-1.lora.F16.gguf');
    expect(readGgufHeader(readFile(folder, 'support-triage-1.lora.F16.gguf')).values.get('adapter.type')).toBe('lora');
    const lines = readFile(folder, 'triage.val.jsonl').toString();
    const [base, tuned] = await Promise.all(
      [null, adapter].map((path) => openSampleModel({ file, adapter: path }).measure(lines)),
    );
    expect(tuned?.loss).toBeLessThan(base?.loss ?? 0);
    const answers = await openSampleModel({ file, adapter }).answer([{ system: 'Hello', prompt: 'Hello', draft: '' }]);
    expect(answers).toHaveLength(1);
  });

  it('says what prompts written by hand came to', () => {
    expect(said.join('\n')).toMatch(/triage 1 \(lora, \d+ s\): exact match .*; written by hand: \d of 2/);
  });
});

it('goes on after stops, to the same bits', async () => {
  let asked = 0;
  const stopping = { ...link, isStopped: () => (asked += 1) % 5 === 0 };
  let calls = 1;
  while ((await makeSample(again, TINY_PLAN, stopping)) === 'stopped') calls += 1;
  expect(calls).toBeGreaterThan(2);
  for (const name of ['support-base.Q8_0.gguf', 'support-orders-1.Q8_0.gguf', 'support-triage-1.lora.F16.gguf'])
    expect(readFile(again, name).equals(readFile(folder, name))).toBe(true);
  const toLosses = (path: string): unknown =>
    (JSON.parse(readFile(path, 'runs.json').toString()) as RunRecord[]).map(({ losses }) => losses);
  expect(toLosses(again)).toEqual(toLosses(folder));
});

it('begins again when the plan is another one, and leaves folders of others alone', async () => {
  const stop = { ...link, isStopped: () => true };
  expect(await makeSample(again, { ...TINY_PLAN, texts: 201 }, stop)).toBe('stopped');
  expect(toSampleNames(again)).not.toContain('support-orders-1.Q8_0.gguf');
  const other = mkdtempSync(join(tmpdir(), 'sample-'));
  writeFileSync(join(other, 'thesis.txt'), 'mine');
  await expect(makeSample(other, TINY_PLAN, stop)).rejects.toThrow('files of something else');
  expect(readFile(other, 'thesis.txt').toString()).toBe('mine');
  rmSync(other, { recursive: true });
});

it('the rate of the base rises, stays, and falls to almost nothing', () => {
  const rates = [1, 50, 100, 150, 576, 1000].map((step) => Number(toBaseRate(step, 1000, 2).toFixed(3)));
  expect(rates).toEqual([0.02, 1, 2, 2, 1.03, 0.062]);
});

it('a base of more rows has the same first steps', async () => {
  const start = join(folder, 'start.gguf');
  const train = async (rows: number): Promise<Buffer> => {
    const checkpoint = join(folder, `base-${rows}.bin`);
    let asked = 0;
    const stopping = { ...link, isStopped: () => (asked += 1) > 4 };
    const files = { start, checkpoint, result: join(folder, 'other.gguf') };
    expect(await trainBase(files, 'base', { ...TINY_PLAN.base, rows }, stopping)).toBe('stopped');
    return readFileSync(checkpoint);
  };
  const [short, long] = [await train(60), await train(120)];
  expect(short.equals(long)).toBe(true);
});

it('keeps the base, and makes the rest again, when only rows or experiments are others', async () => {
  const stop = { ...link, isStopped: () => true };
  const [first, ...others] = TINY_PLAN.experiments;
  const experiments = first === undefined ? [] : [{ ...first, epochs: 1 }, ...others];
  expect(await makeSample(folder, { ...TINY_PLAN, experiments }, stop)).toBe('stopped');
  expect(toSampleNames(folder).filter((name) => name.endsWith('.gguf'))).toEqual(['support-base.Q8_0.gguf']);
});

it('keeps the first and the last of many losses', () => {
  const steps = Array.from({ length: 1001 }, (_, index) => ({ step: index + 1, loss: index / 7, seconds: 1 }));
  const thin = toKeptLosses(steps);
  expect([thin.length, thin[0], thin.at(-1)]).toEqual([250, [0, 0], [1000, 142.9]]);
  expect(toKeptLosses(steps.slice(0, 1))).toEqual([[0, 0]]);
  expect(toKeptLosses([])).toEqual([]);
});
