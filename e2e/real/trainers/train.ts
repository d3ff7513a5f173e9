// `npm start -- --trainer trl` with the real TRL: two steps on the sample's rows, then the model answers as transformers does.
// `trainers.sh` installs TRL and makes the base. Arguments: the folder of the base, that of the environment.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TakeAway, TrainingProgress, TrainingQueue } from '#shared/contract/training/trainingRecords.ts';
import {
  progressPath,
  takeAwayPath,
  takenFilePath,
  TRAINING_ROUTES,
} from '#shared/contract/training/trainingRoutes.ts';
import { ROUTES } from '#shared/contract/routes.ts';
import { tryConvert } from '#server/serving/convertedFiles.ts';
import { ask, askText, type Place } from '../askStudio.ts';
import { makeFolder, spawnNpmStart, waitForLink } from '../startStudio.ts';

const [base = '', env = ''] = process.argv.slice(2);
const dataDir = makeFolder('trainers');
const file = join(dataDir, 'tiny.gguf');
const problem = await tryConvert({
  place: { root: base, folder: '', recorded: {} },
  kind: 'full',
  name: 'tiny',
  target: file,
});
if (problem !== null) throw new Error(problem);

const trainer = `trl --env ${env} --model tiny=${base} --set max_steps=2 --set warmup_steps=0`;
const args = ['--port', '0', '--data', dataDir, '--model', `tiny=${file}`, '--trainer', trainer];
const { child, output } = await spawnNpmStart(args, {}, 'sources');

interface Node {
  readonly id: string;
  readonly children: readonly Node[];
}

async function train(studio: Place): Promise<string> {
  const { projects } = await ask<{ projects: { id: string }[] }>(studio, ROUTES.projects);
  const { project } = await ask<{ project: Node }>(studio, `${ROUTES.projects}/${projects[0]?.id}`);
  const experiment = { base_model_id: 'tiny', batch_size: 8, n_epochs: 1, learning_rate_multiplier: 0.001, lora: true };
  const job = { snapshot_id: project.children[0]?.children[0]?.id, name: 'TRL', experiments: [experiment] };
  await ask(studio, TRAINING_ROUTES.createJob, job);
  for (;;) {
    const { running, waiting } = await ask<TrainingQueue>(studio, TRAINING_ROUTES.training);
    const id = running[0] ?? waiting[0]?.experiment_id;
    if (id !== undefined) return id;
    await wait(200);
  }
}

async function untilEnd(studio: Place, id: string): Promise<TrainingProgress> {
  for (;;) {
    const progress = await ask<TrainingProgress>(studio, progressPath(id));
    if (progress.status === 'succeeded') return progress;
    if (progress.status === 'failed') throw new Error(progress.reason ?? 'It failed.');
    await wait(2_000);
  }
}

async function chat(studio: Place, model: string, content: string): Promise<string | undefined> {
  const messages = [{ role: 'user', content }];
  const request = { model, messages, temperature: 0, max_completion_tokens: 16 };
  const answer = await ask<{ choices: { message: { content: string } }[] }>(
    studio,
    '/api/v1/chat/completions',
    request,
  );
  return answer.choices[0]?.message.content;
}

try {
  const link = new URL(await waitForLink(child, output, 300));
  const studio = { origin: link.origin, token: link.searchParams.get('token') ?? '' };
  const id = await train(studio);
  const { reason, steps, points } = await untilEnd(studio, id);
  const { files } = await ask<TakeAway>(studio, takeAwayPath(id));
  const adapter = files.find(({ name }) => name === 'weights/adapter_config.json');
  const state = files.find(({ name }) => name.endsWith('trainer_state.json'));
  const saved = JSON.parse(await askText(studio, takenFilePath(id, state?.name ?? ''))) as { global_step: number };
  const script = join(import.meta.dirname, 'trainers.py');
  const python = join(env, 'bin', 'python');
  const said = execFileSync(python, [script, 'answer', base, dirname(adapter?.path ?? '')], { encoding: 'utf8' });
  const expected = Object.entries(JSON.parse(said) as Record<string, string>);
  let same = 0;
  for (const [question, text] of expected) {
    const given = await chat(studio, `ft-tiny-${id.slice(0, 8)}`, question);
    if (given === text) same += 1;
    else console.log(JSON.stringify({ question, studio: given, transformers: text }));
  }
  const isRight =
    reason === null && steps === 2 && points.length === 2 && saved.global_step === 2 && same === expected.length;
  console.log(
    `${points.length} of ${steps} steps; ${same} of ${expected.length} greedy answers as those of transformers`,
  );
  process.exitCode = isRight ? 0 : 1;
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
