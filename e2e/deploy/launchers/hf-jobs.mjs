// Hugging Face Jobs as a launcher of the kind `command`, by the command `hf` of huggingface_hub 2.4:
//   "command": "node hf-jobs.mjs [options of hf jobs run] IMAGE"
// such as `--flavor a10g-small --namespace acme`. `hf auth login` on the studio's machine first. A job has the id as its name.
import {
  answer,
  parseJson,
  readArguments,
  Refused,
  runWell,
  toEnd,
  toLogPart,
  toNodeScript,
  writeSecrets,
} from './recipe.mjs';

const { options, last: image } = readArguments('image');
const at = options.findIndex((word) => /^--namespace(=|$)/.test(word));
const namespace = at === -1 ? [] : options.slice(at, at + (options[at].includes('=') ? 1 : 2));

/** Hugging Face ends a job that names no limit after 30 minutes; `timeout` on the node is first, so that the worker saves. */
const SPARE_MINUTES = 10;
const NO_LIMIT = '30d';

const hf = (...words) => runWell('hf', ['jobs', ...words]);

/** Nothing is mended by asking again: a wrong option, no login, or what the hub does not allow. */
const isRefusal = ({ exitCode, message }) =>
  exitCode === 2 || /^Invalid value|^Not logged in|\b(400|402|403|404|422)\b/.test(message);

/** The number of the first job of this name; null: there is none. */
async function findJob(id) {
  const jobs = parseJson(
    'hf',
    await hf('list', '--all', '--limit', '0', '--name', id, '--format', 'json', ...namespace),
  );
  const dated = (jobs ?? []).toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  return dated[0]?.id ?? null;
}

function toFailure({ message }) {
  const end = toEnd(message ?? '');
  const cause = /\btime(d )?-?out\b/i.test(message) ? 'time' : /preempt|evict/i.test(message) ? 'preempted' : null;
  return { ...end, cause: end.cause ?? cause };
}

/** By stage. */
const STATES = {
  SCHEDULING: ({ message }) => ({ state: 'waiting', reason: message || 'Scheduling' }),
  RUNNING: () => ({ state: 'running' }),
  UPDATING: () => ({ state: 'running' }),
  COMPLETED: () => ({ state: 'ended', code: 0 }),
  CANCELED: ({ message }) => ({ state: 'ended', cause: 'cancelled', reason: message || null }),
  DELETED: ({ message }) => ({ state: 'ended', cause: 'cancelled', reason: message || 'Deleted' }),
  ERROR: toFailure,
};

/** null: the hub does not know it. */
async function inspect(number) {
  try {
    return parseJson('hf', await hf('inspect', number, '--format', 'json', ...namespace))?.[0]?.status ?? null;
  } catch (error) {
    if (/Job Not Found/i.test(error.message)) return null;
    throw error;
  }
}

await answer({
  async submit(asked) {
    const { id, folder, minutes } = asked;
    const known = await findJob(id);
    if (known !== null) return { job: known };
    const limit = minutes ? `${minutes + SPARE_MINUTES}m` : NO_LIMIT;
    const own = [
      '--detach',
      '--format',
      'json',
      '--name',
      id,
      '--timeout',
      limit,
      '--secrets-file',
      writeSecrets(folder),
    ];
    try {
      // `--`: hf takes options of its own from behind the image, too.
      const out = await hf('run', ...own, ...options, image, '--', 'sh', '-c', toNodeScript(asked));
      return { job: parseJson('hf', out)?.id ?? null };
    } catch (error) {
      throw isRefusal(error) ? new Refused(error.message) : error;
    }
  },
  async status({ id, job }) {
    const number = job ?? (await findJob(id));
    const status = number === null ? null : await inspect(number);
    if (status === null) return { state: 'lost' };
    if (!Object.hasOwn(STATES, status.stage)) throw new Error(`hf says a stage that is not known: ${status.stage}`);
    const told = STATES[status.stage](status);
    return told.state === 'ended' ? told : { ...told, job: number };
  },
  async stop({ id, job }) {
    const number = job ?? (await findJob(id));
    if (number === null) return {};
    try {
      await hf('cancel', number, ...namespace);
    } catch (error) {
      // It may have ended meanwhile.
      const status = await inspect(number);
      if (status !== null && STATES[status.stage]?.(status).state !== 'ended') throw error;
    }
    return {};
  },
  async logs({ id, job, from }) {
    const number = job ?? (await findJob(id));
    // In JSON it prints nothing of a log.
    const text = number === null ? '' : await hf('logs', number, '--format', 'agent', ...namespace);
    return toLogPart(text, from);
  },
});
