// llama.cpp's penalties against the formula that OpenAI documents, computed here from the raw probabilities:
// logit - count * frequency_penalty - (count > 0) * presence_penalty, counts over what was generated so far. And against that
// of the repetition penalty of transformers and vLLM, which divides positive logits of used tokens and multiplies others.
import { afterAll, describe, expect, it } from 'vitest';
import type { Token } from 'node-llama-cpp';
import { openLlamaRuntime } from './llamaRuntime.ts';
import { samplePath } from './sampleModel.fixture.ts';
import { toSampling } from './sampling.ts';

const runtime = await openLlamaRuntime('off');
const model = await runtime.llama.loadModel({ modelPath: samplePath('support-replies-1.Q8_0.gguf') });
const context = await model.createContext({ contextSize: 512, threads: 1 });
const sequence = context.getSequence();
afterAll(() => runtime.close());

const prompt = model.tokenize('<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n', true);
const generated = model.tokenize('Thank you for the order for the the the order', true);

async function probabilities(
  penalties: Partial<Record<'frequency_penalty' | 'presence_penalty' | 'repetition_penalty', number>>,
  punished: readonly Token[],
): Promise<ReadonlyMap<Token, number>> {
  await sequence.clearHistory();
  const options = toSampling(
    { messages: [], model: 'm', temperature: 1, top_p: 1, seed: 1, ...penalties },
    punished,
    400,
  );
  for await (const { probabilities: found } of sequence.evaluateWithMetadata(
    [...prompt, ...generated],
    { probabilities: true },
    options,
  ))
    return found;
  throw new Error('nothing was evaluated');
}

function expected(plain: ReadonlyMap<Token, number>, frequency: number, presence: number): ReadonlyMap<Token, number> {
  const counts = new Map<Token, number>();
  for (const token of generated) counts.set(token, (counts.get(token) ?? 0) + 1);
  const weights = new Map<Token, number>();
  for (const [token, probability] of plain) {
    const count = counts.get(token) ?? 0;
    weights.set(token, probability * Math.exp(-count * frequency - (count > 0 ? presence : 0)));
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...weights].map(([token, weight]) => [token, weight / total]));
}

describe('frequency_penalty and presence_penalty (SPEC 4.3)', () => {
  it.each([
    [0.5, 0],
    [0, 0.8],
    [1.2, -0.7],
    [-1.5, 0.3],
    [2, 2],
    [-2, -2],
  ])('follow the formula for %d and %d', async (frequency, presence) => {
    const plain = await probabilities({}, generated);
    const found = await probabilities({ frequency_penalty: frequency, presence_penalty: presence }, generated);
    const wanted = expected(plain, frequency, presence);
    let worst = 0;
    for (const [token, probability] of wanted) worst = Math.max(worst, Math.abs(probability - (found.get(token) ?? 0)));
    expect(worst).toBeLessThan(1e-5);
    const punished = generated[3];
    expect(punished !== undefined && found.get(punished) !== plain.get(punished)).toBe(true);
  });

  it('leave the prompt alone', async () => {
    const plain = await probabilities({}, []);
    const found = await probabilities({ frequency_penalty: 2, presence_penalty: 2 }, []);
    for (const [token, probability] of plain) expect(found.get(token)).toBeCloseTo(probability, 6);
  });
});

describe('repetition_penalty', () => {
  it.each([1.3, 2, 0.7])('%d divides or multiplies the logits of used tokens, and no others', async (penalty) => {
    const plain = await probabilities({}, generated);
    const found = await probabilities({ repetition_penalty: penalty }, generated);
    const used = new Set(generated);
    const other = [...plain.keys()].find((token) => !used.has(token));
    const toLogit = (all: ReadonlyMap<Token, number>, token: Token): number =>
      Math.log((all.get(token) ?? 0) / (all.get(other ?? token) ?? 1));
    for (const token of [...plain.keys()].slice(0, 50))
      if (!used.has(token)) expect(toLogit(found, token)).toBeCloseTo(toLogit(plain, token), 3);
    // Both ways of a logit lead away from where it was, and the same way for all tokens above and below 0.
    const shifts = [...used].map((token) => toLogit(found, token) - toLogit(plain, token));
    expect(shifts.every((shift) => Math.sign(shift) === (penalty > 1 ? -1 : 1))).toBe(true);
  });
});
