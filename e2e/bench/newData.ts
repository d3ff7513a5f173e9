// What a newcomer sees: 1,200 short rows of a kind that neither the sample nor the calibration has, uploaded, and the run that
// is recommended for them. The validation rows are then asked through the service, as a person would.
import { readFileSync } from 'node:fs';
import type { Recommendation } from '#core/contract/recommendation.ts';
import { API_PREFIX } from '#core/contract/sessionInfo.ts';
import { ask, askText } from '../askStudio.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { amount, isShort } from './short.ts';

const ROWS = amount(1200, 12);
/** Percent of the rows that are trained on. */
const SPLIT = 83;
const POLL_MS = amount(2_000, 100);
const MOST_MINUTES = 50;

const CITIES = 'Oslo,Rome,Lima,Cairo,Delhi,Quito,Perth,Osaka,Minsk,Accra,Sofia,Hanoi,Tunis,Lagos,Milan,Paris'.split(
  ',',
);
const KINDS = ['train', 'bus', 'boat', 'plane'] as const;

function openDraw(): (below: number) => number {
  let state = 12345;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function toRows(): readonly string[] {
  const draw = openDraw();
  const rows = new Map<string, string>();
  while (rows.size < ROWS) {
    const [from, to, seats] = [CITIES[draw(16)] ?? '', CITIES[draw(16)] ?? '', 1 + draw(12)];
    const by = KINDS[draw(4)] ?? 'train';
    if (from === to) continue;
    const question = [
      `${seats} seats on the ${by} from ${from} to ${to}, please.`,
      `I want to go from ${from} to ${to} by ${by}. We are ${seats}.`,
      `Book a ${by} to ${to} for ${seats}. We start in ${from}.`,
      `${from} to ${to}, ${by}, ${seats} people`,
      `Is there a ${by} that takes ${seats} of us to ${to}? From ${from}.`,
      `We leave ${from} and need ${seats} places in a ${by} to ${to}.`,
    ][draw(6)];
    const answer = JSON.stringify({ from, to, by, seats });
    const messages = [
      { role: 'system', content: 'Read the trip as JSON.' },
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ];
    rows.set(question ?? '', JSON.stringify({ messages }));
  }
  return [...rows.values()];
}

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

export async function measureNewData(): Promise<void> {
  const studio = await startStudio({ form: 'optimised', seconds: 600 });
  const print = (line: string): void => void process.stdout.write(`  ${line}\n`);
  try {
    const from = performance.now();
    const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', {
      name: 'Trips',
    });
    const form = new FormData();
    form.append('name', 'Trips');
    form.append('project_id', project_id);
    form.append('file', new Blob([toRows().join('\n')]), 'trips.jsonl');
    const { dataset_id } = await ask<{ dataset_id: string }>(studio, '/api/v1/public/datasets/create-from-jsonl', form);
    const { snapshot_id } = await ask<{ snapshot_id: string }>(studio, '/api/v1/public/snapshots/create', {
      dataset_id,
      split_percentage: SPLIT,
    });
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
      experiments: [{ ...settings, n_epochs: isShort ? 1 : settings.n_epochs }],
    });
    const { experiments } = await poll(
      () => ask<Job>(studio, `/api/v1/public/finetuning/${job_id}`),
      ({ experiments: [one] }) => /^(succeeded|failed|stopped)$/.test(one?.status ?? ''),
    );
    const minutes = (performance.now() - from) / 60_000;
    const [run] = experiments;
    const held = (await askText(studio, `/api/v1/studio/snapshots/${snapshot_id}/rows?bucket=validation`))
      .trim()
      .split('\n');
    const cpu = readChildren(studio.process.pid ?? 0);
    print(`${run?.status} after ${minutes.toFixed(1)} min; processor time of the trainer ${(cpu / 60).toFixed(1)} min`);
    print(`measured by the trainer: ${JSON.stringify(run?.held_out)}`);
    if (!run?.model_id) return;
    const right = await countRight(studio, run.model_id, held);
    print(`exactly right through the service: ${right} of ${held.length} validation rows`);
  } finally {
    await studio.stop();
  }
}
