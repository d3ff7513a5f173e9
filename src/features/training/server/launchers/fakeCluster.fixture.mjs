// For tests: a cluster as a launcher's command, in a folder. Jobs are processes of this machine.
// node fakeCluster.fixture.mjs FOLDER submit|status|stop|logs
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', verb = ''] = process.argv.slice(2);
const sent = JSON.parse(readFileSync(0, 'utf8'));
const read = (name, or = '') => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : or);
const own = join(folder, sent.id);
const answer = (value) => process.stdout.write(JSON.stringify(value));
const job = () => JSON.parse(read(`${sent.id}/job.json`, 'null'));
const save = (value) => {
  writeFileSync(join(own, 'job.new'), JSON.stringify(value));
  renameSync(join(own, 'job.new'), join(own, 'job.json'));
};

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
    mkdirSync(own, { recursive: true });
    if (job() === null) {
      const number = String(Number(read('last', '0')) + 1);
      writeFileSync(join(folder, 'last'), number);
      save({ number, command: sent.command });
    }
    return answer({ job: job().number });
  },
  status() {
    const known = job();
    if (known === null) return answer({ state: 'lost' });
    const code = read(`${sent.id}/exit`).trim();
    if (code !== '') return answer({ state: 'ended', code: Number(code) });
    if (known.pid === undefined) begin(known);
    return answer({ state: 'running', job: known.number });
  },
  stop() {
    const known = job();
    if (known?.pid !== undefined) process.kill(-known.pid, 'SIGTERM');
    return answer({});
  },
  logs() {
    const text = read(`${sent.id}/log`).slice(sent.from);
    return answer({ text, next: sent.from + text.length });
  },
};

VERBS[verb]();
