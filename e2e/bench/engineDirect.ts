// The engine's limit: node-llama-cpp's low-level evaluation called directly, one long answer per stream.
// The negative penalties make the model repeat itself up to its token limit, so that a stream is measured and not its start.
import { resolve } from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

export interface EngineLoad {
  /** Answers at the same time. */
  readonly streams: number;
  /** Tokens that each stream generates at most. */
  readonly tokens: number;
}

/** A model of the sample that writes replies: it repeats itself when asked to, and says the same each time. */
export const BENCH_MODEL = resolve(
  import.meta.dirname,
  '../../src/features/projects/server/sample/support-replies-1.Q8_0.gguf',
);

/** The conversation and the sampling of both sides. */
export const BENCH_REQUEST = {
  messages: [{ role: 'user', content: 'My Zephyr charger is missing.' }],
  temperature: 0,
  frequency_penalty: -2,
  presence_penalty: -2,
} as const;

const PROMPT = `${BENCH_REQUEST.messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;

export interface Measured {
  readonly tokens: number;
  /** Tokens per second of all streams together. */
  readonly rate: number;
}

/** Measures node-llama-cpp without anything of ours. One thread, 8 sequences, as the engine does for small models. */
export async function measureDirect(modelPath: string, { streams, tokens }: EngineLoad): Promise<Measured> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    maxThreads: 2,
    logLevel: LlamaLogLevel.error,
    progressLogs: false,
  });
  try {
    const model = await llama.loadModel({ modelPath });
    const context = await model.createContext({ sequences: 8, contextSize: 512, threads: 1 });
    const prompt = model.tokenize(PROMPT, true);
    const sequences = Array.from({ length: streams }, () => context.getSequence());
    const run = async (limit: number): Promise<number> => {
      const counts = await Promise.all(
        sequences.map(async (sequence) => {
          await sequence.clearHistory();
          const generated: Parameters<typeof model.detokenize>[0][number][] = [];
          const repeatPenalty = {
            punishTokens: () => generated,
            maxPunishTokens: limit,
            penalty: 1,
            frequencyPenalty: BENCH_REQUEST.frequency_penalty,
            presencePenalty: BENCH_REQUEST.presence_penalty,
          };
          const options = {
            temperature: BENCH_REQUEST.temperature,
            topP: 1,
            topK: 0,
            yieldEogToken: true,
            repeatPenalty,
          };
          for await (const token of sequence.evaluate(prompt, options)) {
            generated.push(token);
            if (generated.length >= limit || model.isEogToken(token)) break;
          }
          return generated.length;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    };
    await run(50);
    const startedAt = performance.now();
    const count = await run(tokens);
    return { tokens: count, rate: (count / (performance.now() - startedAt)) * 1000 };
  } finally {
    await llama.dispose();
  }
}
