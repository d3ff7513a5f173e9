// Processor time of a sweep whose poor candidates stop early, beside the same sweep trained to the end, and the place of its
// winner there. Real processes of the built-in trainer, judged as the service judges: the time includes each new start.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { judgeRung, toHalving, toNextRung, toRungShare } from '#features/training/shared/halving.ts';
import { parseTrainerLine } from '#trainer/protocol/trainerProtocol.ts';
import { trainerCommand } from '#trainer/trainerCommand.ts';
import { amount } from './short.ts';

const SAMPLE = new URL('../../src/features/projects/server/sample/', import.meta.url).pathname;
const TASKS = ['orders', 'triage'].slice(0, amount(2, 1));
const ROWS = amount(150, 12);
const EPOCHS = amount(3, 1);
const RATES = [1e-4, 3e-4, 1e-3, 2e-3, 4e-3, 8e-3, 1.6e-2, 3.2e-2, 6.4e-2].slice(0, amount(9, 3));

interface Ran {
  /** The last validation loss; null: it failed. */
  readonly loss: number | null;
  /** Processor time, also of the start. */
  readonly seconds: number;
}

/** Trains one candidate, from its checkpoint if there is one, to `pauseAt` or to its end. */
async function train(
  folder: string,
  task: string,
  rate: number,
  resume: boolean,
  pauseAt: number | null,
): Promise<Ran> {
  mkdirSync(folder, { recursive: true });
  const [training, validation, path] = ['t.jsonl', 'v.jsonl', 'job.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const read = (name: string, rows: number) =>
    readFileSync(join(SAMPLE, name), 'utf8').split('\n').slice(0, rows).join('\n');
  writeFileSync(training, read(`${task}.train.jsonl`, ROWS));
  writeFileSync(validation, read(`${task}.val.jsonl`, amount(100, 4)));
  const job = {
    protocol: 1,
    experiment_id: '00000000-0000-4000-8000-000000000000',
    base: { id: 'base', file: join(SAMPLE, 'support-base.Q8_0.gguf'), adapter: null, context: null },
    data: { training, validation },
    output: join(folder, 'output'),
    resume,
    training_type: 'lora',
    n_epochs: EPOCHS,
    batch_size: 2,
    learning_rate: rate,
    lora: { rank: 8, alpha: 16 },
    seed: 1,
    checkpoint_every: 25,
    ...(pauseAt !== null && { pause_at: pauseAt }),
  };
  writeFileSync(path, JSON.stringify(job));
  const { command, args } = trainerCommand(1);
  // The shell says what its children took.
  const script = `"$@" </dev/zero 2>/dev/null; times`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', command, ...args, path], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = stdout.trim().split('\n');
  const seconds = [...(lines.at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
  const events = lines.map(parseTrainerLine);
  const measured = events.flatMap((event) => (event.type === 'validation' ? (event.loss ?? []) : []));
  const isFailed = events.some(({ type }) => type === 'failure');
  return { loss: isFailed ? null : (measured.at(-1) ?? null), seconds };
}

async function halve(root: string, task: string): Promise<{ readonly winner: number; readonly seconds: number }> {
  const halving = toHalving({}, RATES.length);
  let [going, seconds] = [[...RATES], 0];
  for (let rung: number | null = 0; ;) {
    const ran = new Map<number, Ran>();
    for (const rate of going)
      ran.set(
        rate,
        await train(join(root, `${rate}`), task, rate, rung !== 0, rung === null ? null : toRungShare(halving, rung)),
      );
    for (const each of ran.values()) seconds += each.seconds;
    const runs = going.map((rate) => {
      const loss = ran.get(rate)?.loss ?? null;
      return { id: String(rate), key: String(rate), state: loss === null ? 'failed' : 'paused', loss } as const;
    });
    const judged = judgeRung(runs, halving);
    const best = [...(judged?.verdicts ?? [])];
    if (rung === null) return { winner: Number(best[0]?.[0]), seconds };
    going = best.flatMap(([id, { goesOn }]) => (goesOn ? [Number(id)] : []));
    rung = toNextRung(halving, rung, judged?.kept ?? 0);
  }
}

export async function measureHalving(): Promise<void> {
  for (const task of TASKS) {
    const root = mkdtempSync(join(tmpdir(), 'halving-'));
    try {
      const whole: (Ran & { readonly rate: number })[] = [];
      for (const rate of RATES)
        whole.push({ rate, ...(await train(join(root, `whole-${rate}`), task, rate, false, null)) });
      const order = whole.toSorted((one, other) => (one.loss ?? Infinity) - (other.loss ?? Infinity));
      const { winner, seconds } = await halve(root, task);
      const baseline = whole.reduce((sum, run) => sum + run.seconds, 0);
      const won = order.find(({ rate }) => rate === winner);
      process.stdout.write(
        `${task}, ${RATES.length} rates: ${seconds.toFixed(0)} s of processor time, ${baseline.toFixed(0)} s to the end ` +
          `(${(seconds / baseline).toFixed(2)} times); the winner ${winner} is place ${order.findIndex(({ rate }) => rate === winner) + 1} ` +
          `there, loss ${won?.loss?.toFixed(4)}, best ${order[0]?.loss?.toFixed(4)}\n`,
      );
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}
