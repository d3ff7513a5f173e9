// Engine: tokens per second through our HTTP stream beside node-llama-cpp called directly, in turn in one run.
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { BENCH_MODEL, BENCH_REQUEST, measureDirect, type Measured } from './engineDirect.ts';
import { amount } from './short.ts';

const TOKENS = amount(400, 100);
const ROUNDS = amount(7, 1);

/** One streamed answer, read to its end; gives the service's own count of tokens. */
async function readAnswer(studio: StartedStudio): Promise<number> {
  const response = await fetch(`${studio.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${studio.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'bench',
      ...BENCH_REQUEST,
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

async function measureHttp(studio: StartedStudio, streams: number): Promise<Measured> {
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: streams }, () => readAnswer(studio)));
  const tokens = answers.reduce((sum, count) => sum + count, 0);
  return { tokens, rate: (tokens / (performance.now() - started)) * 1000 };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints tokens/s of both and their ratio (median of paired rounds) for one stream and for eight. */
export async function measureEngine(): Promise<void> {
  const studio = await startStudio({ args: ['--no-sample', '--model', `bench=${BENCH_MODEL}`] });
  try {
    await measureHttp(studio, 8);
    for (const streams of [1, 8]) {
      const direct: number[] = [];
      const ours: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const limit = await measureDirect(BENCH_MODEL, { streams, tokens: TOKENS });
        const measured = await measureHttp(studio, streams);
        for (const { tokens } of [limit, measured])
          if (tokens !== streams * TOKENS)
            throw new Error(`answers ended after ${tokens} of ${streams * TOKENS} tokens`);
        direct.push(limit.rate);
        ours.push(measured.rate);
      }
      const ratios = ours.map((value, index) => value / (direct[index] ?? Number.NaN));
      process.stdout.write(
        `engine, ${streams} stream${streams === 1 ? '' : 's'}: direct ${median(direct).toFixed(0)} tokens/s, ` +
          'through HTTP ' +
          `${median(ours).toFixed(0)} tokens/s, ratio ${median(ratios).toFixed(3)} (median of ${ROUNDS} pairs, ` +
          `${streams * TOKENS} tokens each)\n`,
      );
    }
  } finally {
    await studio.stop();
  }
}
