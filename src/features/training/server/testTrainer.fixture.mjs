// For tests: a trainer that follows the protocol and learns nothing. Its result is a copy of the base model.
// node testTrainer.fixture.mjs MODE DELAY_MS ... JOB.json
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [mode = 'train', delay = '0'] = process.argv.slice(2);
const jobFile = process.argv.at(-1);
const job = JSON.parse(readFileSync(jobFile, 'utf8'));
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const rest = () => wait(Number(delay));
const STEPS = mode === 'high' ? 400 : 40;
const saved = join(job.output, 'checkpoint.json');
const result = join(job.output, 'model.gguf');

if (mode === 'nothing') process.exit(0);
if (mode === 'crash') {
  process.stderr.write('Traceback\nRuntimeError: no such layer\n');
  process.exit(3);
}
if (mode === 'killed-early') process.kill(process.pid, 'SIGKILL');
if (mode === 'failure') {
  say({ type: 'failure', reason: 'No space is left on the disk.', what_to_do: 'Free some.' });
  process.exit(1);
}
if (mode === 'garbage') {
  process.stdout.write(Buffer.from([0xff, 0xfe, 0, 0x80, 10, 123, 125, 10, 0xc3]));
  for (let at = 0; at < 200; at += 1) process.stdout.write(`${'x'.repeat(at * 100)}\r`);
  say({ type: 'progress', step: 'one', loss: 'much' });
  process.exit(0);
}

process.stdin.resume();
process.stdin.on('end', () => process.exit(1));
let wantsToStop = false;
const asked = new Promise((resolve) => {
  process.on('SIGTERM', () => {
    if (mode === 'deaf') return say({ type: 'log', text: 'asked to end' });
    wantsToStop = true;
    resolve();
  });
});

if (mode === 'hang') await wait(60_000);
if (mode === 'late') await wait(1_500);
if (mode === 'fork') {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' });
  say({ type: 'log', text: `forked ${child.pid}` });
}

let step = 0;
if (job.resume && existsSync(saved)) step = JSON.parse(readFileSync(saved, 'utf8')).step;
const first = step;
process.stdout.write(`begins at step ${step}\n`);
const rows = readFileSync(job.data.training, 'utf8').trim().split('\n').length;
say({ type: 'start', steps: STEPS, tokens_per_step: 100, rows, rows_cut: 0, rows_left_out: 1 });

// What no database keeps: a zero byte, half of a pair, a number beyond its columns.
if (mode === 'unstorable') {
  const answers = ['a\0', 'b\ud83d'].map((answer) => ({ prompt: 'p\0', expected: '\ude00', answer }));
  say({ type: 'validation', step: 1, loss: 1, answers });
  say({ type: 'progress', step: 2 ** 31, loss: 1 });
  say({ type: 'start', steps: STEPS, rows_cut: 2 ** 31 });
}

const checkpoint = () => {
  writeFileSync(saved, JSON.stringify({ step }));
  copyFileSync(job.base.file, join(job.output, `try-${step}.gguf`));
  say({ type: 'checkpoint', step, file: saved, model: { file: `try-${step}.gguf`, kind: 'gguf' } });
};

// The lowest rate is the best, and one above 1 fails.
if (mode === 'rates' && job.learning_rate > 1 && first === 0) process.exit(1);
const pauseStep = job.pause_at === undefined ? STEPS : Math.ceil(job.pause_at * STEPS - 1e-6);

const lossOf = () => {
  if (mode === 'nan') return step > 3 ? 'NaN' : 2;
  return mode === 'high' ? 1 + step : 2 / (step + 1);
};

while (step < STEPS) {
  if (step >= pauseStep) {
    say({ type: 'validation', step, loss: job.learning_rate });
    checkpoint();
    process.exit(75);
  }
  step += 1;
  const seconds_left = (STEPS - step) / 100;
  process.stdout.write(
    `{"type":"progress","step":${step},"epoch":${step / STEPS},"loss":${lossOf()},"learning_rate":0.001,` +
      `"gradient_norm":1.5,"tokens_per_second":1000,"seconds_left":${seconds_left}` +
      `${job.objective === 'dpo' ? `,"metrics":{"rewards/chosen":${step / STEPS}}` : ''}}\n`,
  );
  if (step % 10 === 0) {
    say({
      type: 'validation',
      step,
      loss: mode === 'overfit' ? 1 + Math.abs(step - 10) : 1 / step,
      exact_match: step / STEPS,
      answers: [{ prompt: 'p', expected: 'e', answer: 'a', is_right: false }],
    });
    checkpoint();
    // Of checkpoints that are stored together only the last can be tried: this one, the best, is to be stored by itself.
    if (mode === 'overfit' && step === 10) await wait(1000);
  }
  // Killed by somebody, twice: once after a checkpoint that the run before had not reached.
  if (mode === 'killed' && ((first === 0 && step === 15) || (first === 10 && step === 35)))
    process.kill(process.pid, 'SIGKILL');
  if (mode === 'killed-there' && step === 15) process.kill(process.pid, 'SIGKILL');
  if (mode === 'crash-later' && step === 25) process.exit(9);
  // Goes on only when it was ended and resumed.
  if (mode === 'pause' && step === 12 && !job.resume) await asked;
  if (wantsToStop) {
    checkpoint();
    process.exit(75);
  }
  if (Number(delay) > 0) await rest();
}
if (mode === 'fork') process.exit(4);
if (mode === 'outside') {
  say({ type: 'result', model: { file: job.base.file, kind: 'gguf' } });
} else if (mode === 'pipe') {
  spawnSync('sh', ['-c', 'mkfifo "$0"', result]);
  say({ type: 'result', model: { file: 'model.gguf', kind: 'gguf' } });
} else if (mode === 'served') {
  say({ type: 'result', model: { served_as: 'their-model' } });
} else if (mode.startsWith('folder:')) {
  // folder:peft:PATH, a folder as such a trainer would have saved it.
  const [, kind, path] = mode.split(':');
  cpSync(path, join(job.output, 'weights'), { recursive: true });
  say({ type: 'result', model: { folder: 'weights', kind } });
} else {
  copyFileSync(job.base.file, result);
  if (mode === 'half') truncateSync(result, 500_000);
  const forms = ['whole', 'cut'].map((format) => ({ format: `merged ${format}`, file: `${format}.gguf` }));
  if (mode === 'overfit') {
    for (const { file } of forms) copyFileSync(job.base.file, join(job.output, file));
    truncateSync(join(job.output, 'cut.gguf'), 500_000);
  }
  say({
    type: 'result',
    model: { file: 'model.gguf', kind: mode === 'wrong-kind' ? 'adapter' : 'gguf' },
    ...(mode === 'overfit' && { files: forms }),
    measures: { rows: 20, exact_match: 0.95, validation_loss: 0.2 },
    base_measures: { rows: 20, exact_match: 0, validation_loss: 8.1 },
    decoding: 'greedy',
    settings: { optimizer: 'adamw', seed: job.seed, nonsense: true },
  });
}
process.exit(0);
