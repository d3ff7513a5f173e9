import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Llama, LlamaModel, Token } from 'node-llama-cpp';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import { readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { toBatch, type TokenRow } from '#trainer/model/batch.ts';
import { openTransformer, type Transformer } from '#trainer/model/transformer.ts';
import { loadWeights, startAdapter } from '#trainer/model/weights.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { readModel } from './readModel.ts';
import { writeAdapter, writeModel } from './writeModel.ts';

const source = readModel(samplePath('support-base.Q8_0.gguf'));
const tokenizer = openTokenizer(source.header);
const folder = mkdtempSync(join(tmpdir(), 'nano-files-'));
let llama: Llama;

beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false });
});
afterAll(async () => {
  await llama.dispose();
  rmSync(folder, { recursive: true });
});

const write = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

/** Tokens of validation rows: conversations that the base model can read. */
function readRows(file: string, count: number): readonly TokenRow[] {
  return readFileSync(samplePath(file), 'utf8')
    .split('\n')
    .slice(0, count)
    .map((line) => {
      const { messages } = JSON.parse(line) as { messages: { role: string; content: string }[] };
      const text = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('');
      const tokens = Int32Array.from(tokenizer.encode([text]));
      return { tokens, isTarget: new Uint8Array(tokens.length) };
    });
}

/** The likeliest token after each token, as llama.cpp has it. */
async function readLlama(model: LlamaModel, rows: readonly TokenRow[], adapter?: string): Promise<Float32Array> {
  const context = await model.createContext({
    contextSize: 512,
    threads: 1,
    ...(adapter === undefined ? {} : { lora: { adapters: [{ filePath: adapter }] } }),
  });
  const sequence = context.getSequence();
  const found: number[] = [];
  for (const row of rows) {
    await sequence.clearHistory();
    const tokens = [...row.tokens.subarray(0, -1)] as Token[];
    const results = await sequence.controlledEvaluate(
      tokens.map((token) => [
        token,
        { generateNext: { probabilities: true, options: { temperature: 1, topK: 0, topP: 1, minP: 0 } } },
      ]),
    );
    for (const result of results) found.push(result?.next.probabilities?.keys().next().value ?? -1);
  }
  await context.dispose();
  return Float32Array.from(found);
}

/** The logits of each place. */
function readOwn(model: Transformer, rows: readonly TokenRow[]): readonly Float32Array[] {
  const { vocabulary } = source.shape;
  const batch = toBatch(rows);
  const logits = model.logits(batch);
  return Array.from({ length: batch.tokens.length }, (_, row) =>
    logits.slice(row * vocabulary, (row + 1) * vocabulary),
  );
}

const toLikeliest = (line: Float32Array): number =>
  line.reduce((best, value, token) => (value > (line[best] ?? 0) ? token : best), 0);

/** Between two tokens whose logits are as near as this, the rounding of F16 decides. Logits are about 10. */
const TIE = 0.05;

/** Places at which both have the same likeliest token, or theirs is as likely as ours but for rounding. */
const shareOfSame = (own: readonly Float32Array[], theirs: Float32Array, tie = TIE): number =>
  own.filter((line, index) => {
    const best = toLikeliest(line);
    const other = theirs[index] ?? -1;
    return best === other || (line[best] ?? 0) - (line[other] ?? Number.NEGATIVE_INFINITY) < tie;
  }).length / own.length;

describe('an exported model', () => {
  const rows = [...readRows('replies.val.jsonl', 4), ...readRows('triage.val.jsonl', 5)];
  const maxTokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
  const options = { shape: source.shape, maxTokens, maxRow: 512 };
  const model = openTransformer({ ...options, adapter: null });
  loadWeights(model, source);
  let own: readonly Float32Array[];
  let loaded: LlamaModel;
  beforeAll(async () => {
    own = readOwn(model, rows);
    loaded = await llama.loadModel({
      modelPath: write('full.gguf', writeModel(source.header, 'full', 'F16', model.tensor)),
    });
  });

  it('in F16 gives the same likeliest token as the trainer at more than 500 places', async () => {
    expect(own.length).toBeGreaterThan(500);
    const theirs = await readLlama(loaded, rows);
    expect(shareOfSame(own, theirs)).toBe(1);
    // Ties are few.
    expect(shareOfSame(own, theirs, 0)).toBeGreaterThan(0.98);
  });

  it('in Q8_0 has the bytes of the file that it was read from', () => {
    const file = new Uint8Array(readFileSync(samplePath('support-base.Q8_0.gguf')));
    const bytes = writeModel(source.header, 'u128', 'Q8_0', model.tensor);
    const header = readGgufHeader(bytes);
    expect([...header.values.keys()].sort()).toEqual([...source.header.values.keys()].sort());
    expect([...header.tensors]).toEqual([...source.header.tensors]);
    expect(Buffer.compare(bytes.subarray(header.dataStart), file.subarray(source.header.dataStart))).toBe(0);
  });

  it('as an adapter changes llama.cpp as it changes the trainer', async () => {
    const lora = { rank: 4, alpha: 8 };
    const adapted = openTransformer({ ...options, adapter: lora });
    loadWeights(adapted, source);
    startAdapter(adapted, lora.rank, 7);
    const places = [...adapted.trained.plan.places.values()];
    for (const { name, rows: count, columns } of places)
      if (name.endsWith('_b'))
        adapted.trainedTensor(name).forEach((_, index, all) => {
          if (index % columns < lora.rank) all[index] = Math.sin(index * 7.3 + count) * 0.1;
        });
    adapted.refresh();
    const matrices = places.map(({ name, rows, columns }) => ({
      name,
      rows,
      columns,
      numbers: adapted.trainedTensor(name),
    }));
    const adapter = write('adapter.gguf', writeAdapter('adapter', lora, matrices));
    const changed = readOwn(adapted, rows);
    expect(shareOfSame(changed, await readLlama(loaded, rows, adapter))).toBeGreaterThan(0.998);
    expect(shareOfSame(own, Float32Array.from(changed, toLikeliest), 0)).toBeLessThan(0.9);
  });
});
