// A person's way to a model: rows uploaded, the recommended run trained, and the validation rows asked of its model.
import { readFileSync } from 'node:fs';
import type { Recommendation } from '#core/contract/recommendation.ts';
import { API_PREFIX } from '#core/contract/sessionInfo.ts';
import { ask, askText, uploadRows } from '../askStudio.ts';
import type { StartedStudio } from '../startStudio.ts';
import { amount, isShort } from './short.ts';

const POLL_MS = amount(2_000, 100);
const MOST_MINUTES = 50;
const MOST_ASKED = 200;

async function poll<Answer>(read: () => Promise<Answer>, isOver: (answer: Answer) => boolean): Promise<Answer> {
  const end = Date.now() + MOST_MINUTES * 60_000;
  for (;;) {
    const answer = await read();
    if (isOver(answer)) return answer;
    if (Date.now() > end) throw new Error(`Not over after ${MOST_MINUTES} minutes: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface Job {
  readonly experiments: readonly {
    readonly status: string;
    readonly model_id?: string | null;
    readonly held_out?: Readonly<Record<string, number>>;
  }[];
}

/** Processor time of the service's ended children, of which the trainer is the one that counts, in seconds. */
function readChildren(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

async function countRight(studio: StartedStudio, model: string, lines: readonly string[]): Promise<number> {
  let right = 0;
  for (const line of lines) {
    const { messages } = JSON.parse(line) as { messages: readonly { role: string; content: string }[] };
    const { choices } = await ask<{ choices: readonly { message: { content: string } }[] }>(
      studio,
      '/api/v1/chat/completions',
      {
        model,
        messages: messages.slice(0, -1),
        temperature: 0,
        max_tokens: 80,
      },
    );
    if (choices[0]?.message.content.trim() === messages.at(-1)?.content) right += 1;
  }
  return right;
}

/** Percent of the rows is trained on, for the recommended epochs or for `epochs`. Prints settings, time and how many of the first validation rows are exactly right; returns seconds by the clock until the run's end. */
export async function trainRecommended(
  studio: StartedStudio,
  name: string,
  rows: readonly string[],
  percent: number,
  epochs: number | null = null,
): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`  ${line}\n`);
  const from = performance.now();
  const snapshot_id = await uploadRows(studio, name, rows.join('\n'), percent);
  const recommended = await poll(
    () => ask<Recommendation>(studio, `/api/v1/public/recommendations/${snapshot_id}`),
    ({ status }) => status !== 'processing',
  );
  const wanted = recommended.recommended_experiments.find(({ base_model_id }) => base_model_id === 'support-base');
  if (!wanted) throw new Error(`Nothing is recommended to train here: ${JSON.stringify(recommended)}`);
  const { reason_for_recommendation: reason, recommended: isFirst, ...settings } = wanted;
  print(`recommended${isFirst ? '' : ' last'}: ${JSON.stringify(settings)}`);
  print(reason);
  const { job_id } = await ask<{ job_id: string }>(studio, `${API_PREFIX}/public/finetuning/create`, {
    snapshot_id,
    name: 'As recommended',
    experiments: [{ ...settings, n_epochs: isShort ? 1 : (epochs ?? settings.n_epochs) }],
  });
  const { experiments } = await poll(
    () => ask<Job>(studio, `/api/v1/public/finetuning/${job_id}`),
    ({ experiments: [one] }) => /^(succeeded|failed|stopped)$/.test(one?.status ?? ''),
  );
  const seconds = (performance.now() - from) / 1000;
  const [run] = experiments;
  const held = (await askText(studio, `/api/v1/studio/snapshots/${snapshot_id}/rows?bucket=validation`))
    .trim()
    .split('\n')
    .slice(0, MOST_ASKED);
  const cpu = readChildren(studio.process.pid ?? 0);
  print(
    `${run?.status} after ${(seconds / 60).toFixed(1)} min; processor time of the trainer ${(cpu / 60).toFixed(1)} min`,
  );
  print(`measured by the trainer: ${JSON.stringify(run?.held_out)}`);
  if (!run?.model_id) return Number.NaN;
  const right = await countRight(studio, run.model_id, held);
  print(`exactly right through the service: ${right} of ${held.length} validation rows`);
  return seconds;
}
