// Engine: tokens per second through our HTTP stream beside node-llama-cpp called directly, in turn in one run.
import { resolve } from 'node:path';
import { startStudio, type StartedStudio } from '../startStudio';
import { measureDirect } from './engineDirect';

const MODEL = resolve(import.meta.dirname, '../../src/studio/sample/support-base.Q8_0.gguf');
const TOKENS = 400;
const ROUNDS = 7;
const PROMPT = 'Repeat this: one, two, three';

interface Answer {
  readonly tokens: number;
}

/** One streamed answer; the tokens are the service's own count. Temperature 2 keeps a small model talking. */
async function readAnswer(studio: StartedStudio, seed: number): Promise<Answer> {
  const response = await fetch(`${studio.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${studio.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'support-base',
      messages: [{ role: 'user', content: PROMPT }],
      temperature: 2,
      seed,
      max_completion_tokens: TOKENS,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}: ${await response.text()}`);
  // Only the last bytes matter: the client must not cost more than the server on a machine of two cores.
  let tail = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body) tail = (tail + decoder.decode(bytes, { stream: true })).slice(-2000);
  const tokens = Number(/"completion_tokens":(\d+)/.exec(tail)?.[1] ?? 0);
  if (!tail.includes('[DONE]') || tokens === 0) throw new Error(`the answer is not complete: ${tail.slice(-300)}`);
  return { tokens };
}

async function measureHttp(studio: StartedStudio, streams: number, seed: number): Promise<number> {
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: streams }, (_, index) => readAnswer(studio, seed + index)));
  const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  return (tokens / (performance.now() - started)) * 1000;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints tokens/s of both and their ratio (median of paired rounds) for one stream and for eight. */
export async function measureEngine(): Promise<void> {
  const studio = await startStudio();
  try {
    await measureHttp(studio, 8, 1);
    for (const streams of [1, 8]) {
      const direct: number[] = [];
      const ours: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const seed = 100 * round + 7;
        direct.push(await measureDirect(MODEL, { streams, tokens: TOKENS, seed }));
        ours.push(await measureHttp(studio, streams, seed));
      }
      const ratios = ours.map((value, index) => value / (direct[index] ?? Number.NaN));
      process.stdout.write(
        `engine, ${streams} stream${streams === 1 ? '' : 's'}: direct ${median(direct).toFixed(0)} tokens/s, through HTTP ` +
          `${median(ours).toFixed(0)} tokens/s, ratio ${median(ratios).toFixed(3)} (median of ${ROUNDS} pairs)\n`,
      );
    }
  } finally {
    await studio.stop();
  }
}
