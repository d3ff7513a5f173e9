// A job by API in `npm start -- --trainer NAME`: it succeeds with live points, its PEFT folder is kept, and the served model answers
// as transformers does. `train.sh` makes the base. Arguments: NAME, the folder of the base, the Python of the environment.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TakeAway, TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { tryConvert } from '#features/serving/server/convertedFiles.ts';
import { ask, startRun, uploadRows, type Place } from '../../askStudio.ts';
import { makeFolder, spawnNpmStart, waitForLink } from '../../startStudio.ts';

const [name = '', base = '', python = ''] = process.argv.slice(2);
/** It asks which of several models a folder of this type has, and has templates of its own. */
const MORE: Readonly<Record<string, string>> = { 'ms-swift': ' --set model_type=llama --set template=chatml' };

const tiny = (...args: readonly string[]): string =>
  execFileSync(python, [join(import.meta.dirname, 'tiny.py'), ...args], { encoding: 'utf8' });

const dataDir = makeFolder(`trainer-${name}`);
const file = join(dataDir, 'tiny.gguf');
const problem = await tryConvert({
  place: { root: base, folder: '', recorded: {} },
  kind: 'full',
  name: 'tiny',
  form: 'q8_0',
  target: file,
});
if (problem !== null) throw new Error(problem);

const env = dirname(dirname(python));
const trainer = `${name} --env ${env} --model tiny=${base}${MORE[name] ?? ''}`;
const args = ['--port', '0', '--data', dataDir, '--no-sample', '--model', `tiny=${file}`, '--trainer', trainer];
const { child, output } = await spawnNpmStart(args, {}, 'checkout');

/** Of what the trainers would take otherwise. */
const CHOSEN = { lora_rank: 4, lora_alpha: 12, seed: 7, warmup_steps: 0, scheduler: 'linear', weight_decay: 0.05 };

async function train(studio: Place): Promise<string> {
  const snapshot_id = await uploadRows(studio, 'Answers', tiny('rows'));
  const experiment = {
    base_model_id: 'tiny',
    batch_size: 8,
    n_epochs: 5,
    learning_rate_multiplier: 0.02,
    lora: true,
    ...CHOSEN,
  };
  return startRun(studio, snapshot_id, name, experiment);
}

interface Seen extends TrainingProgress {
  /** The points that a person saw before the last step. */
  readonly live: number;
}

async function untilEnd(studio: Place, id: string): Promise<Seen> {
  for (let live = 0; ; await wait(100)) {
    const progress = await ask<TrainingProgress>(studio, `/api/v1/studio/experiments/${id}/progress`);
    if (progress.status === 'succeeded') return { ...progress, live };
    if (progress.status === 'failed') throw new Error(progress.reason ?? 'It failed.');
    if (progress.points.length < (progress.steps ?? 0)) live = progress.points.length;
  }
}

interface Point {
  readonly step: number;
  readonly loss: number;
  readonly isValidation: boolean;
}

/** `trainer_state.json` of Hugging Face's trainer. */
interface State {
  readonly global_step: number;
  readonly log_history: readonly Readonly<Record<string, number>>[];
}

function toPoints({ step = 0, loss, eval_loss }: State['log_history'][number]): readonly Point[] {
  if (loss !== undefined) return [{ step, loss, isValidation: false }];
  return eval_loss === undefined ? [] : [{ step, loss: eval_loss, isValidation: true }];
}

/** A rate that falls by the same amount at each step, without a warm-up. */
function isLinear(log: State['log_history']): boolean {
  const rates = log.flatMap(({ step, learning_rate }) =>
    step && learning_rate !== undefined ? [[step, learning_rate] as const] : [],
  );
  const falls = rates.slice(1).map(([step, rate], at) => (rates[at]![1] - rate) / (step - rates[at]![0]));
  return falls.length > 3 && falls.every((fall) => Math.abs(fall - falls[0]!) < 0.01 * falls[0]!);
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
  const { reason, steps, points, validations, live } = await untilEnd(studio, id).finally(async () => {
    const { text } = await ask<{ text: string }>(studio, `/api/v1/studio/experiments/${id}/log`);
    console.log(text);
  });
  const { files } = await ask<TakeAway>(studio, `/api/v1/studio/experiments/${id}/take-away`);
  const states = await Promise.all(
    files
      .filter((each) => each.name.endsWith('trainer_state.json'))
      .map((each) => ask<State>(studio, `/api/v1/studio/experiments/${id}/files/${encodeURIComponent(each.name)}`)),
  );
  const saved = states.toSorted((one, other) => other.global_step - one.global_step)[0];
  // ms-swift saves checkpoints alone.
  const places = ['weights', `weights/checkpoint-${saved?.global_step}`].map((place) => `${place}/adapter_config.json`);
  const adapter = places.flatMap((place) => files.find((each) => each.name === place) ?? [])[0];
  // It validates twice after its last step.
  const byPlace = new Map(
    saved?.log_history.flatMap(toPoints).map((point) => [`${point.step} ${point.isValidation}`, point]),
  );
  const own = [...byPlace.values()];
  const seen = [
    ...points.map(({ step, loss }) => ({ step, loss: Number(loss), isValidation: false })),
    ...validations.map(({ step, loss }) => ({ step, loss: Number(loss), isValidation: true })),
  ];
  // Lines of the console have four digits.
  const isSame = (one: Point, other: Point): boolean =>
    one.step === other.step &&
    one.isValidation === other.isValidation &&
    Math.abs(one.loss - other.loss) < 1e-3 * other.loss + 1e-4;
  const found = own.filter((point) => seen.some((each) => isSame(each, point))).length;
  const toAnswers = (...folders: readonly string[]): Readonly<Record<string, string>> =>
    JSON.parse(tiny('answer', base, ...folders)) as Readonly<Record<string, string>>;
  const before = toAnswers();
  const expected = Object.entries(toAnswers(dirname(adapter?.path ?? '')));
  let same = 0;
  for (const [question, text] of expected) {
    const given = await chat(studio, `ft-tiny-${id.slice(0, 8)}`, question);
    if (given === text) same += 1;
    else console.log(JSON.stringify({ question, studio: given, transformers: text }));
  }
  const learned = expected.filter(([question, text]) => before[question] !== text).length;
  const { r, lora_alpha } = JSON.parse(readFileSync(adapter?.path ?? '', 'utf8')) as Record<string, unknown>;
  const hasChosen = r === CHOSEN.lora_rank && lora_alpha === CHOSEN.lora_alpha && isLinear(saved?.log_history ?? []);
  const isRight =
    hasChosen &&
    reason === null &&
    steps !== null &&
    steps === saved?.global_step &&
    found > steps &&
    found === own.length &&
    found === seen.length &&
    live > 0 &&
    learned > 0 &&
    same === expected.length;
  if (!isRight)
    console.log(
      JSON.stringify({
        hasChosen,
        r,
        lora_alpha,
        reason,
        steps,
        saved: saved?.global_step,
        live,
        own,
        seen,
        before,
        expected,
      }),
    );
  console.log(
    `${found} of ${own.length} points in ${steps} steps as it wrote them, ${live} of them live; ` +
      `${same} of ${expected.length} greedy answers as those of transformers, ${learned} of them learned; rank, alpha and schedule ` +
      `${hasChosen ? '' : 'not '}as chosen`,
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
