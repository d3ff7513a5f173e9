// Ray's Jobs API. What it shows of a job, anybody sees who reaches it: so the worker gets a code instead of a token, which is
// worth nothing once it was used. Seen with Ray 2.60.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { cutText } from '#core/contract/schemas.ts';
import { isLoopback } from '#service/http/allowedHosts.ts';
import { LaunchRefused, type LaunchedJob, type Launcher, type LaunchStatus } from './launcher.ts';
import { quote, toNodeCommand, type NodeSettings } from './nodeCommand.ts';
import { isRefused, requestText, type TextAnswer } from './requestText.ts';

export interface RaySettings extends NodeSettings {
  readonly name: string;
  readonly mostAtOnce: number;
  readonly address: URL;
  /** A file with the token of Ray, absolute; null: it asks for none. */
  readonly tokenFile: string | null;
  readonly gpus: number;
  readonly cpus: number;
  /** null: no limit. */
  readonly minutes: number | null;
  /** A folder of the nodes. */
  readonly folder: string;
}

/** Seconds between SIGTERM and SIGKILL; 3 by Ray's default, which is too short to save. */
const STOP_SECONDS = 60;
const MAX_REASON = 300;
const MAX_LOG = 128 * 1024;

const jobSchema = z.object({
  status: z.enum(['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED']),
  message: z.optional(z.nullable(z.string())),
  error_type: z.optional(z.nullable(z.string())),
  driver_exit_code: z.optional(z.nullable(z.int())),
  /** Unix milliseconds. */
  start_time: z.optional(z.nullable(z.number())),
  end_time: z.optional(z.nullable(z.number())),
});
/** Ray gives up what has waited for 15 minutes. */
const GIVEN_UP = 'JOB_SUPERVISOR_ACTOR_START_TIMEOUT';
/** What `timeout` ends with; and what Ray says of it where it had to send SIGKILL, which ends `timeout` too. */
const TIMED_OUT = 124;
const KILLED: ReadonlySet<number | null> = new Set([137, -9]);

/** The last line of what Ray says, which may be a traceback. */
const toLastLine = (text: string): string =>
  cutText(text.trim().split('\n').at(-1)?.trim() ?? '', MAX_REASON) || 'it says nothing more';

/** `asked`: what the job needs, for people. */
export function toRayStatus(
  { status, message, error_type: error = null, driver_exit_code: code = null, ...job }: z.output<typeof jobSchema>,
  { asked, minutes }: { readonly asked: string; readonly minutes: number | null },
): LaunchStatus {
  switch (status) {
    case 'PENDING':
      return { kind: 'waiting', reason: `not started yet, ${asked} may not be free` };
    case 'RUNNING':
      return { kind: 'running' };
    case 'STOPPED':
      return { kind: 'ended', code, cause: 'cancelled', words: null };
    case 'SUCCEEDED':
      return { kind: 'ended', code: code ?? 0, cause: null, words: null };
    case 'FAILED': {
      if (error === GIVEN_UP) return { kind: 'unplaced' };
      const ranMs = (job.end_time ?? 0) - (job.start_time ?? 0);
      // Killed before, memory ran out.
      const isLate = minutes !== null && (code === TIMED_OUT || (KILLED.has(code) && ranMs >= minutes * 60_000));
      if (isLate) return { kind: 'ended', code, cause: 'time', words: null };
      const isLost = /node|actor.*(?:died|dead)|unexpected.*exit/i.test(message ?? '') && code === null;
      const words = code === null && message ? toLastLine(message) : null;
      return { kind: 'ended', code, cause: isLost ? 'node' : null, words };
    }
  }
}

export function openRayLauncher(settings: RaySettings): Launcher {
  const { name, mostAtOnce, address, tokenFile, gpus, cpus, minutes, folder } = settings;
  const root = address.href.replace(/\/+$/, '');

  function ask(path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', body?: object): Promise<TextAnswer> {
    // Read each time: it may be changed while the studio runs.
    const token = tokenFile === null ? null : readFileSync(tokenFile, 'utf8').trim();
    const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    return requestText(new URL(`${root}/api/jobs/${path}`), { method, headers, ...(body && { body }) });
  }

  const counts = [[cpus, 'CPU'] as const, [gpus, 'GPU'] as const].filter(([count]) => count > 0);
  const asked = counts.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ') || 'a node';
  // Ray has no time limit.
  const limit =
    minutes === null ? [] : ['timeout', '--signal=TERM', `--kill-after=${STOP_SECONDS}`, String(minutes * 60)];

  const toProblem = ({ status, text }: TextAnswer): Error => new Error(`Ray answers ${status}: ${toLastLine(text)}`);

  async function find({ id }: Pick<LaunchedJob, 'id'>): Promise<z.output<typeof jobSchema> | null> {
    const answer = await ask(id);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw toProblem(answer);
    const parsed = jobSchema.safeParse(JSON.parse(answer.text));
    if (!parsed.success) throw new Error('Ray answers in a form that is not known');
    return parsed.data;
  }

  return {
    name,
    kind: 'ray',
    mostAtOnce,
    hasSecretPlace: false,
    isElsewhere: !isLoopback(address.hostname),
    about: minutes === null ? asked : `${asked}, ${minutes} min`,
    async submit(order) {
      // The same id again is 500 with a traceback.
      const known = await find(order);
      if (known?.status === 'FAILED' && known.error_type === GIVEN_UP) await ask(order.id, 'DELETE');
      else if (known !== null) return order.id;
      const words = toNodeCommand(settings, order, ['--claim', order.claim], folder);
      const answer = await ask('', 'POST', {
        submission_id: order.id,
        entrypoint: `exec ${[...limit, ...words].map(quote).join(' ')}`,
        entrypoint_num_cpus: cpus,
        ...(gpus > 0 && { entrypoint_num_gpus: gpus }),
        metadata: { name: order.label },
        runtime_env: { env_vars: { RAY_JOB_STOP_WAIT_TIME_S: String(STOP_SECONDS) } },
      });
      if (answer.status === 200) return order.id;
      if (isRefused(answer.status)) throw new LaunchRefused(toProblem(answer).message);
      throw toProblem(answer);
    },
    async status(job) {
      const found = await find(job);
      return found === null ? { kind: 'lost' } : toRayStatus(found, { asked, minutes });
    },
    async stop({ id }) {
      // Of a job that waits Ray says "stopped" and keeps its place until its turn: the next look says what it is.
      const answer = await ask(`${id}/stop`, 'POST');
      if (answer.status !== 200 && answer.status !== 404) throw toProblem(answer);
    },
    async log({ id }, from) {
      const answer = await ask(`${id}/logs`);
      if (answer.status !== 200) return { text: '', next: from };
      const { logs } = z.object({ logs: z.string() }).parse(JSON.parse(answer.text));
      // Always the whole text.
      const text = logs.slice(from, from + MAX_LOG);
      return { text, next: from + text.length };
    },
    tidy: async () => undefined,
  };
}
