// SkyPilot's managed jobs as a launcher of the kind `command`, by the command `sky` of skypilot 0.14:
//   "command": "node sky.mjs [options of sky jobs launch] TASK.yaml"
// TASK.yaml says `resources`, and in `setup` how Model Studio gets onto the machine; `run` is added here. A job has the id as
// its name. A submission goes on at SkyPilot's own server after it was answered: the job's folder keeps its number.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answer,
  parseJson,
  readArguments,
  Refused,
  run,
  runWell,
  toEnd,
  toLogPart,
  toNodeScript,
  toProblem,
  writeSecrets,
} from './recipe.mjs';

const { options, last: taskFile } = readArguments('task');

const sky = (...words) => runWell('sky', words);

/** The same of jobs; nothing while SkyPilot has no machine that controls them: then it fails, and none of them runs. */
async function skyJobs(...words) {
  try {
    return await sky('jobs', ...words);
  } catch (error) {
    if (/ClusterNotUpError/.test(error.message)) return '';
    throw error;
  }
}

/** The first job of this name; null: there is none. `-v`: else it does not say why a job failed. */
async function findJob(id) {
  const jobs = parseJson('sky', await skyJobs('queue', '-v', '--all', '-o', 'json')) ?? [];
  const named = jobs.filter(({ job_name: name }) => name === id);
  return named.toSorted((a, b) => a.job_id - b.job_id)[0] ?? null;
}

const requestFile = (folder) => join(folder, 'request');

/** The submission: its number, and how it stands; null: there was none, or SkyPilot has forgotten it. */
async function findRequest(folder) {
  let number;
  try {
    number = readFileSync(requestFile(folder), 'utf8');
  } catch {
    return null;
  }
  const status = parseJson('sky', await sky('api', 'status', number, '-o', 'json'))?.[0]?.status;
  return status === undefined ? null : { number, status };
}

/** A submission that failed may have left a job behind, which waits for ever. */
async function toFailedSubmission({ number, status }) {
  const told = await run('sky', ['api', 'logs', number]);
  return { state: 'ended', cause: status === 'CANCELLED' ? 'cancelled' : null, reason: toProblem('sky', told) };
}

const IS_OVER = new Set(['FAILED', 'CANCELLED']);

const waits = ({ status, details }) => ({ state: 'waiting', reason: details ? `${status}, ${details}` : status });
const runs = () => ({ state: 'running' });
const ended = ({ status, failure_reason: reason }) => toEnd(reason || status);

/** By status. */
const STATES = {
  PENDING: waits,
  SUBMITTED: waits,
  STARTING: waits,
  RECOVERING: waits,
  RUNNING: runs,
  WINDING_DOWN: runs,
  CANCELLING: runs,
  SUCCEEDED: () => ({ state: 'ended', code: 0 }),
  CANCELLED: ({ details }) => ({ state: 'ended', cause: 'cancelled', reason: details || null }),
  FAILED: ended,
  // The code is of `setup`.
  FAILED_SETUP: (job) => ({ ...ended(job), code: null }),
  FAILED_PRECHECKS: ended,
  FAILED_NO_RESOURCE: ended,
  FAILED_CONTROLLER: ended,
};

function writeTask(asked) {
  let task;
  try {
    task = readFileSync(taskFile, 'utf8');
  } catch ({ code }) {
    throw new Refused(`${taskFile} can not be read (${code})`);
  }
  if (/^run\s*:/m.test(task)) throw new Refused(`${taskFile} has a "run" of its own: take it out, the worker is run`);
  const file = join(asked.folder, 'task.yaml');
  // JSON's texts are YAML's.
  writeFileSync(file, `${task.trimEnd()}\nrun: ${JSON.stringify(toNodeScript(asked))}\n`);
  return file;
}

await answer({
  async submit(asked) {
    const { id, folder } = asked;
    const known = await findJob(id);
    if (known !== null) return { job: String(known.job_id) };
    const before = await findRequest(folder);
    if (before !== null && !IS_OVER.has(before.status)) return { job: null };
    const own = ['--async', '-y', '-n', id, '--secret-file', writeSecrets(folder)];
    try {
      const out = await sky('jobs', 'launch', ...own, ...options, writeTask(asked));
      const number = /request: ([\w-]+)/.exec(out)?.[1];
      if (number !== undefined) writeFileSync(requestFile(folder), number);
      return { job: null };
    } catch (error) {
      // 2: a wrong option. The others are of the task, unless SkyPilot's server is away.
      const isRefusal = error.exitCode === 2 || /InvalidSkyPilotConfig|ValueError|YAML|Aborted!/.test(error.message);
      throw isRefusal ? new Refused(error.message) : error;
    }
  },
  async status({ id, folder }) {
    const job = await findJob(id);
    const isBegun = job !== null && job.status !== 'PENDING';
    const request = isBegun ? null : await findRequest(folder);
    if (request !== null && IS_OVER.has(request.status)) return toFailedSubmission(request);
    if (job === null)
      return request === null || request.status === 'SUCCEEDED'
        ? { state: 'lost' }
        : { state: 'waiting', reason: 'SkyPilot takes the job' };
    if (!Object.hasOwn(STATES, job.status)) throw new Error(`sky says a status that is not known: ${job.status}`);
    const told = STATES[job.status](job);
    return told.state === 'ended' ? told : { ...told, job: String(job.job_id) };
  },
  async stop({ id, folder }) {
    // No such job is no failure to it.
    await skyJobs('cancel', '-y', '-n', id);
    const request = await findRequest(folder);
    if (request !== null && !IS_OVER.has(request.status) && request.status !== 'SUCCEEDED')
      await sky('api', 'cancel', '-y', request.number);
    return {};
  },
  async logs({ id, from }) {
    // By its number: by its name it finds only what runs, and prints that as if it were the log.
    const job = await findJob(id);
    // Of what never ran it prints its own words.
    const hasBegun = job !== null && job.start_at !== null;
    return toLogPart(hasBegun ? await skyJobs('logs', '--no-follow', String(job.job_id)) : '', from);
  },
});
