// The engine's limit: node-llama-cpp's low-level evaluation called directly, and the same work through our Engine.
// Both answer the same conversation again and again until each stream has its tokens.
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import type { LoadedModel } from '../../src/engine/engine';

export interface EngineLoad {
  /** Answers at the same time. */
  readonly streams: number;
  /** Tokens that each stream generates before the clock stops. */
  readonly tokens: number;
  readonly seed: number;
}

/** The conversation that both sides answer; sampling is the same as well. */
export const BENCH_MESSAGES = [
  { role: 'system', content: 'Reply politely in markdown.' },
  { role: 'user', content: 'The box arrived but the Zephyr charger is missing from it. My order is ORD-99141!' },
] as const;

const PROMPT = `${BENCH_MESSAGES.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;
const TEMPERATURE = 0.7;

/** Tokens per second of all streams together. */
function toRate(tokens: number, startedAt: number): number {
  return tokens / ((performance.now() - startedAt) / 1000);
}

/** Measures node-llama-cpp without anything of ours. One thread, 8 sequences, as the engine does for small models. */
export async function measureDirect(modelPath: string, { streams, tokens, seed }: EngineLoad): Promise<number> {
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 2, logLevel: LlamaLogLevel.error, progressLogs: false });
  try {
    const model = await llama.loadModel({ modelPath });
    const context = await model.createContext({ sequences: 8, contextSize: 512, threads: 1 });
    const prompt = model.tokenize(PROMPT, true);
    const sequences = Array.from({ length: streams }, () => context.getSequence());
    const run = async (budget: number): Promise<number> => {
      const counts = await Promise.all(
        sequences.map(async (sequence, index) => {
          let count = 0;
          for (let round = 0; count < budget; round += 1) {
            await sequence.clearHistory();
            const options = { temperature: TEMPERATURE, topP: 1, topK: 0, seed: seed + index + round * streams, yieldEogToken: true };
            for await (const token of sequence.evaluate(prompt, options)) {
              count += 1;
              if (count >= budget || model.isEogToken(token)) break;
            }
          }
          return count;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    };
    await run(50);
    const startedAt = performance.now();
    return toRate(await run(tokens), startedAt);
  } finally {
    await llama.dispose();
  }
}

/** Measures the same through a model of our Engine. */
export async function measureEngine(model: LoadedModel, { streams, tokens, seed }: EngineLoad): Promise<number> {
  const run = async (budget: number): Promise<number> => {
    const counts = await Promise.all(
      Array.from({ length: streams }, async (_, index) => {
        let count = 0;
        for (let round = 0; count < budget; round += 1) {
          const request = { model: model.id, messages: [...BENCH_MESSAGES], temperature: TEMPERATURE, seed: seed + index + round * streams, max_completion_tokens: budget - count };
          for await (const event of model.generate(request, new AbortController().signal)) {
            if (event.type === 'message-end') count += event.usage?.completion_tokens ?? 0;
          }
        }
        return count;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await run(50);
  const startedAt = performance.now();
  return toRate(await run(tokens), startedAt);
}
