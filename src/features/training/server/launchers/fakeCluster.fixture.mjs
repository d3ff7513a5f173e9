// For tests: a cluster as a launcher's command, in a folder. Jobs are processes of this machine.
// node fakeCluster.fixture.mjs FOLDER submit|status|stop|logs. What it does wrong is in FOLDER/mode.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', verb = ''] = process.argv.slice(2);
const sent = JSON.parse(readFileSync(0, 'utf8'));
const read = (name, or = '') => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : or);
const modes = read('mode').split(' ');
const has = (mode) => modes.includes(mode);
const own = join(folder, sent.id);
const answer = (value) => process.stdout.write(JSON.stringify(value));
const job = () => JSON.parse(read(`${sent.id}/job.json`, 'null'));
const save = (value) => {
  writeFileSync(join(own, 'job.new'), JSON.stringify(value));
  renameSync(join(own, 'job.new'), join(own, 'job.json'));
};
appendFileSync(join(folder, 'calls'), `${verb} ${sent.id}\n`);

/** Begins the process of a job that waits. */
function begin(waiting) {
  const log = openSync(join(own, 'log'), 'a');
  const script =
    '"$@" & pid=$!; trap "kill -TERM $pid" TERM; wait $pid; code=$?; while kill -0 $pid 2>/dev/null; do wait $pid; code=$?; done; echo $code >exit.new; mv exit.new exit';
  const child = spawn('sh', ['-c', script, 'sh', ...waiting.command], {
    cwd: own,
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  save({ ...waiting, pid: child.pid });
}

const VERBS = {
  submit() {
    if (has('refuse')) return answer({ refused: 'there is no partition gpu' });
    mkdirSync(own, { recursive: true });
    const known = job();
    if (known === null) {
      const number = has('same-number') ? '7' : String(Number(read('last', '0')) + 1);
      writeFileSync(join(folder, 'last'), number);
      save({ number, command: sent.command });
    }
    // It has taken the job, and its answer is lost.
    if (has('lose-answer') && known === null) process.exit(1);
    return answer({ job: job().number });
  },
  status() {
    const known = job();
    if (known === null || has('forget')) return answer({ state: 'lost' });
    const cause = modes.find((mode) => mode.startsWith('cause:'))?.slice(6);
    const code = read(`${sent.id}/exit`).trim();
    if (code !== '') return answer({ state: 'ended', code: Number(code), cause });
    if (known.isStopped && known.pid === undefined) return answer({ state: 'ended', cause: 'cancelled' });
    if (known.pid === undefined && has('hold'))
      return answer({ state: 'waiting', reason: 'Resources', job: known.number });
    if (known.pid === undefined) begin(known);
    return answer({ state: 'running', job: known.number });
  },
  stop() {
    const known = job();
    if (known !== null && !has('deaf')) {
      save({ ...known, isStopped: true });
      if (known.pid !== undefined) process.kill(-known.pid, 'SIGTERM');
    }
    return answer({});
  },
  logs() {
    const text = read(`${sent.id}/log`).slice(sent.from);
    return answer({ text, next: sent.from + text.length });
  },
};

if (has('hang')) await new Promise((resolve) => setTimeout(resolve, 60_000));
if (has('garbage')) process.stdout.write('<html>502 Bad Gateway</html>');
else VERBS[verb]();
