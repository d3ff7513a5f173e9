// A job of the studio that learns by GRPO of TRL from a reward function of the operator: rewards are seen, and the model is asked.
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TrainingObjectives, TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import type { CurveList } from '#features/runs/shared/runs.ts';
import { ask, startRun, uploadRows, type Place } from '../askStudio.ts';
import { makeFolder, spawnNpmStart, waitForLink } from '../startStudio.ts';

const OFFER = 'Please let me know if I can do anything else.';
const REWARD = `def offers_help(completions, **kwargs):
    return [float(each[0]["content"].endswith(${JSON.stringify(OFFER)})) for each in completions]
`;

interface Options {
  readonly python: string;
  /** GGUF file of the base, and the same weights as transformers saves them. */
  readonly base: string;
  readonly folder: string;
  readonly prompts: readonly unknown[];
}

async function start(studio: Place, prompts: Options['prompts']): Promise<string> {
  const name = 'Rewards';
  const rows = prompts.map((messages) =>
    JSON.stringify({ messages: [...(messages as object[]), { role: 'assistant', content: OFFER }] }),
  );
  const snapshot_id = await uploadRows(studio, name, rows.join('\n'));
  const offered = await ask<TrainingObjectives>(studio, `/api/v1/studio/snapshots/${snapshot_id}/objectives`);
  if (offered.reward_functions?.join() !== 'offers_help') throw new Error(`It offers ${JSON.stringify(offered)}.`);
  const experiment = {
    base_model_id: 'replies',
    batch_size: 8,
    n_epochs: 3,
    learning_rate_multiplier: 2e-3,
    lora: true,
    objective: 'grpo',
    reward_function: 'offers_help',
  };
  return startRun(studio, snapshot_id, name, experiment);
}

async function untilEnd(studio: Place, id: string): Promise<TrainingProgress> {
  for (;;) {
    const progress = await ask<TrainingProgress>(studio, `/api/v1/studio/experiments/${id}/progress`);
    if (progress.status === 'succeeded') return progress;
    if (progress.status === 'failed') throw new Error(progress.reason ?? 'It failed.');
    await wait(200);
  }
}

async function offers(studio: Place, model: string, messages: unknown): Promise<boolean> {
  const { choices } = await ask<{ choices: { message: { content: string } }[] }>(studio, '/api/v1/chat/completions', {
    model,
    messages,
    temperature: 0,
    max_completion_tokens: 120,
  });
  return choices[0]?.message.content.endsWith(OFFER) === true;
}

export async function trainByRewards({ python, base, folder, prompts }: Options) {
  const dataDir = makeFolder('rewards');
  const rewards = join(dataDir, 'rewards');
  mkdirSync(rewards);
  writeFileSync(join(rewards, 'offers_help.py'), REWARD);
  const trainer = `trl --env ${dirname(dirname(python))} --model replies=${folder} --rewards ${rewards}`;
  const args = ['--port', '0', '--data', dataDir, '--no-sample', '--model', `replies=${base}`, '--trainer', trainer];
  const { child, output } = await spawnNpmStart(args, {}, 'checkout');
  try {
    const link = new URL(await waitForLink(child, output, 300));
    const studio = { origin: link.origin, token: link.searchParams.get('token') ?? '' };
    const id = await start(studio, prompts);
    const { points } = await untilEnd(studio, id).finally(async () => {
      const { text } = await ask<{ text: string }>(studio, `/api/v1/studio/experiments/${id}/log`);
      console.log(text);
    });
    const { curves } = await ask<CurveList>(studio, '/api/v1/studio/curves', { runs: [id], names: ['reward'] });
    const seen = (curves[0]?.values ?? []).map(Number);
    const toMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const third = Math.ceil(seen.length / 3);
    const [first, last] = [toMean(seen.slice(0, third)), toMean(seen.slice(-third))];
    const counts = [];
    for (const model of ['replies', `ft-replies-${id.slice(0, 8)}`]) {
      const answers = [];
      for (const messages of prompts.slice(-10)) answers.push(await offers(studio, model, messages));
      counts.push(answers.filter(Boolean).length);
    }
    const [before = 0, after = 0] = counts;
    return {
      isRight: seen.length === points.length && last > first + 0.2 && after > before,
      verdict:
        `GRPO by the studio: rewards at ${seen.length} of ${points.length} steps, ${first.toFixed(2)} at first and ` +
        `${last.toFixed(2)} at last; ${after} of 10 answers have what is rewarded, ${before} before`,
    };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
}
