// Engine: tokens per second through our HTTP stream beside node-llama-cpp called directly, in turn in one run.
import { resolve } from 'node:path';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { BENCH_REQUEST, measureDirect, type Measured } from './engineDirect.ts';

const MODEL = resolve(import.meta.dirname, '../../src/server/studio/sample/support-base.Q8_0.gguf');
const TOKENS = 400;
const ROUNDS = 7;

/** One streamed answer, read to its end; gives the service's own count of tokens. */
async function readAnswer(studio: StartedStudio, seed: number): Promise<number> {
  const response = await fetch(`${studio.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${studio.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'support-base',
      ...BENCH_REQUEST,
      seed,
      max_completion_tokens: TOKENS,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}: ${await response.text()}`);
  // Only the last bytes matter: the client must not cost more than the server on a machine of two cores.
  let before = new Uint8Array();
  let last = new Uint8Array();
  for await (const bytes of response.body) [before, last] = [last, bytes];
  const tail = new TextDecoder().decode(Buffer.concat([before, last]));
  const tokens = Number(/"completion_tokens":(\d+)/.exec(tail)?.[1] ?? 0);
  if (!tail.includes('[DONE]') || tokens === 0) throw new Error(`the answer is not complete: ${tail.slice(-300)}`);
  return tokens;
}

async function measureHttp(studio: StartedStudio, streams: number, seed: number): Promise<Measured> {
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: streams }, (_, index) => readAnswer(studio, seed + index)));
  const tokens = answers.reduce((sum, count) => sum + count, 0);
  return { tokens, rate: (tokens / (performance.now() - started)) * 1000 };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints tokens/s of both and their ratio (median of paired rounds) for one stream and for eight. */
export async function measureEngine(): Promise<void> {
  const studio = await startStudio();
  try {
    await measureHttp(studio, 8, 1);
    for (const streams of [1, 8]) {
      const direct: number[] = [];
      const ours: number[] = [];
      const tokens: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const seed = 100 * round + 7;
        const limit = await measureDirect(MODEL, { streams, tokens: TOKENS, seed });
        const measured = await measureHttp(studio, streams, seed);
        direct.push(limit.rate);
        ours.push(measured.rate);
        tokens.push(limit.tokens, measured.tokens);
      }
      const ratios = ours.map((value, index) => value / (direct[index] ?? Number.NaN));
      process.stdout.write(
        `engine, ${streams} stream${streams === 1 ? '' : 's'}: direct ${median(direct).toFixed(0)} tokens/s, ` +
          'through HTTP ' +
          `${median(ours).toFixed(0)} tokens/s, ratio ${median(ratios).toFixed(3)} (median of ${ROUNDS} pairs; ` +
          `${Math.min(...tokens)} to ${Math.max(...tokens)} tokens a run)\n`,
      );
    }
  } finally {
    await studio.stop();
  }
}
