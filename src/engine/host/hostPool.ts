// Which process runs which model. A file has a process of its own, so that one that llama.cpp can't stand ends nothing else.
// Small files that have been opened there once share one: a process takes more memory than they do.
import { availableParallelism } from 'node:os';
import type { IsolatedEnd } from '#service/threads/isolated.ts';
import { EngineError } from '#engine/engine.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import type { CrashMemory } from './crashMemory.ts';
import type { FileLook, HostFile, SeenFile } from './hostMessages.ts';
import { openModelHost, type HostOptions, type ModelHost } from './modelHost.ts';

export interface PoolOptions {
  readonly gpu: GpuChoice;
  readonly crashes: CrashMemory;
  /** Whether a file is known to be good. */
  readonly isTrusted: (path: string) => boolean;
  /** Whether small files of this path may share a process: not those of folders that may hang. */
  readonly isNear: (path: string) => boolean;
  /** Writes a line to the operator's log. */
  readonly report: (line: string) => void;
  readonly openHost?: (options: HostOptions) => ModelHost;
  readonly cores?: number;
  readonly now?: () => number;
}

/** A process, as somebody uses it. */
export interface HostUse {
  readonly host: ModelHost;
  /** Of all files that share the process. */
  readonly group: string;
  /** It was started for this use. */
  readonly isFirst: boolean;
  /** Something happens with a model until the returned function is called. If the process ends meanwhile, the model is suspected. */
  enter(file: HostFile, look: FileLook | null): () => void;
  /** Ends the process if nobody else uses it. */
  release(): Promise<void>;
}

interface Activity {
  readonly file: HostFile;
  readonly look: FileLook | null;
}

interface Running {
  readonly group: string;
  readonly host: ModelHost;
  /** It computes on a graphics card, or has not said yet that it does not. */
  hasGpu: boolean;
  readonly activities: Set<Activity>;
  users: number;
  threads: number;
}

interface Failures {
  count: number;
  readonly until: number;
}

const SHARED = 'shared';
/** Larger ones are worth a process of their own. */
const SMALL_BYTES = 64 * 1024 * 1024;
/** A file that was in use at so many ends of its process is not loaded again, though others were in use, too. */
const MOST_SUSPICIONS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that has run for so long did not fail at its start. */
const FORGET_MS = 60_000;
/** llama.cpp ends its process so when it meets what it can't compute, or its memory is damaged. */
const CRASH_SIGNALS: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL']);
/** Of a graphics card that others use, too: not the file's fault. */
const MEMORY_WORDS = /out of memory|OutOfDeviceMemory|failed to allocate|cudaMalloc|ErrorDeviceLost/i;

/** llama.cpp's own words about its end, which name a place in its code; else the signal. */
function toReason({ signal, lastLines, error }: IsolatedEnd): string {
  const line = lastLines.findLast((text) => /\.\w{1,3}:\d+: /.test(text));
  return (line ?? signal ?? error?.message ?? 'it ended').replace(/^.*[/\\](?=[\w.-]+:\d+: )/, '').trim();
}

export class HostPool {
  readonly #options: PoolOptions;
  readonly #running = new Map<string, Running>();
  readonly #proven = new Map<string, SeenFile>();
  /** At how many ends of a process a model was in use. It has a process of its own from then on. */
  readonly #suspicions = new Map<string, number>();
  readonly #failures = new Map<string, Failures>();
  /** Those whose process has ended on a graphics card: they run on the processor from then on. */
  readonly #withoutGpu = new Set<string>();
  readonly #cores: number;
  readonly #now: () => number;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#cores = options.cores ?? availableParallelism();
    this.#now = options.now ?? (() => performance.now());
  }

  /** The process that a model would get now. */
  groupOf({ path, adapter }: Pick<HostFile, 'path' | 'adapter'>): string {
    const isSharing =
      !this.#suspicions.has(toPair(path, adapter)) &&
      [path, adapter].every((file) => file === null || this.#isSharing(file));
    return isSharing ? SHARED : path;
  }

  isRunning(group: string): boolean {
    return this.#running.has(group);
  }

  /** Starts the process of a group unless it runs. Throws EngineError 503 if it has just ended, with the time to wait. */
  use(group: string): HostUse {
    const known = this.#running.get(group);
    const running = known ?? this.#start(group);
    running.users += 1;
    let isReleased = false;
    return {
      host: running.host,
      group,
      isFirst: known === undefined,
      enter: (file, look) => {
        const activity = { file, look };
        running.activities.add(activity);
        this.#shareThreads();
        return () => {
          running.activities.delete(activity);
          this.#shareThreads();
        };
      },
      release: async () => {
        if (isReleased) return;
        isReleased = true;
        running.users -= 1;
        if (running.users > 0 || group === SHARED || this.#running.get(group) !== running) return;
        this.#running.delete(group);
        await running.host.end();
      },
    };
  }

  /** The model was opened in a process and answered there. */
  prove({ path, adapter }: HostFile, look: FileLook): void {
    this.#proven.set(path, look.weights);
    if (adapter !== null && look.adapter !== null) this.#proven.set(adapter, look.adapter);
  }

  /** Whether the files are still those that were proven; if not, they aren't any more. */
  isUnchanged({ path, adapter }: HostFile, look: FileLook): boolean {
    const pairs = [
      [path, look.weights],
      [adapter, look.adapter],
    ] as const;
    const changed = pairs.filter(([file, seen]) => {
      const known = file === null ? undefined : this.#proven.get(file);
      return known !== undefined && seen !== null && known.identity !== seen.identity;
    });
    for (const [file] of changed) if (file !== null) this.#proven.delete(file);
    return changed.length === 0;
  }

  /** Throws EngineError 503 for a model whose file, as it is now, has ended a process. */
  async assertNoCrash({ id, path, adapter }: HostFile, look: FileLook): Promise<void> {
    const { crashes } = this.#options;
    const found =
      (await crashes.find(path, look.weights.identity)) ??
      (adapter !== null && look.adapter !== null ? await crashes.find(adapter, look.adapter.identity) : null);
    if (found === null) return;
    throw new EngineError(
      `Model "${id}" is not loaded: ${found.path} ended llama.cpp on ${found.at.slice(0, 10)} (${found.reason}). ` +
        'Export the file again, or remove the model.',
      503,
      'model_crashed',
    );
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(all.map(({ host }) => host.end()));
  }

  #isSharing(path: string): boolean {
    const { isTrusted, isNear } = this.#options;
    if (!isNear(path)) return false;
    const known = this.#proven.get(path);
    return known === undefined ? isTrusted(path) : known.bytes < SMALL_BYTES;
  }

  #start(group: string): Running {
    const failed = this.#failures.get(group);
    const waitMs = failed === undefined ? 0 : failed.until - this.#now();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      const message = `The process that runs this model has ended, and is started again in ${seconds} s: send the same request then.`;
      throw new EngineError(message, 503, 'engine_restarting', null, String(seconds));
    }
    const startedAt = this.#now();
    const activities = new Set<Activity>();
    const gpu = this.#withoutGpu.has(group) ? 'off' : this.#options.gpu;
    const host = (this.#options.openHost ?? openModelHost)({
      gpu,
      toEndError: (end) => this.#onEnd(running, end, startedAt),
    });
    const hasGpu = gpu === 'auto';
    const running: Running = { group, host, hasGpu, activities, users: 0, threads: this.#cores };
    void host.started
      .catch(() => null)
      .then((started) => {
        if (started) running.hasGpu = started.gpu !== null;
        return running;
      });
    this.#running.set(group, running);
    return running;
  }

  /** Decides who is to blame. Returns what those that wait are told. */
  #onEnd(running: Running, end: IsolatedEnd, startedAt: number): EngineError {
    const { group, activities } = running;
    if (this.#running.get(group) === running) this.#running.delete(group);
    if (end.cause === 'asked')
      return new EngineError('The model was closed. Send the request again.', 503, 'engine_restarted', null, '1');
    const before = this.#now() - startedAt > FORGET_MS ? 0 : (this.#failures.get(group)?.count ?? 0);
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** before);
    this.#failures.set(group, { count: before + 1, until: this.#now() + waitMs });
    const reason = toReason(end);
    const pairs = new Map(
      [...activities].map((activity) => [toPair(activity.file.path, activity.file.adapter), activity]),
    );
    const isCrash = CRASH_SIGNALS.has(end.signal) && !end.lastLines.some((line) => MEMORY_WORDS.test(line));
    // A card's driver is as likely to blame as the file: the processor decides that.
    if (isCrash && running.hasGpu) this.#withoutGpu.add(group);
    const guilty = isCrash && !running.hasGpu ? this.#findGuilty(group, pairs) : null;
    const names = [...pairs.values()].map(({ file }) => `"${file.id}"`).join(', ');
    const next =
      guilty !== null
        ? `${toBlamed(guilty).path} is not loaded again until it changes.`
        : this.#withoutGpu.has(group)
          ? 'It runs on the processor from now on: update the driver of the graphics card, or start with --gpu off.'
          : 'It is started again when it is needed.';
    this.#options.report(`The process that runs ${names || 'models'} has ended (${reason}). ${next}`);
    if (guilty !== null) {
      const { path, seen } = toBlamed(guilty);
      void this.#options.crashes.add({ path, identity: seen?.identity ?? '', reason, at: new Date().toISOString() });
      return new EngineError(
        `Model "${guilty.file.id}" ended llama.cpp (${reason}): ${path}. It is not loaded again until the file changes. ` +
          'Export the file again.',
        503,
        'model_crashed',
      );
    }
    const why = end.signal === 'SIGKILL' ? 'it was killed, often because memory ran out' : reason;
    return new EngineError(
      `The process that ran this model has ended (${why}). It is started again: send the same request in a moment.`,
      503,
      'engine_restarted',
      null,
      String(Math.ceil(waitMs / 1000)),
    );
  }

  /** The one that is not loaded again; null: nobody knows, or it gets another chance in a process of its own. */
  #findGuilty(group: string, pairs: ReadonlyMap<string, Activity>): Activity | null {
    const [only] = pairs.values();
    if (group !== SHARED && pairs.size === 1 && only) return only;
    let guilty: Activity | null = null;
    for (const [pair, activity] of pairs) {
      const count = (this.#suspicions.get(pair) ?? 0) + 1;
      this.#suspicions.set(pair, count);
      if (count >= MOST_SUSPICIONS) guilty = activity;
    }
    return guilty;
  }

  /** Threads that wait for each other on too few processors are many times slower: processes that answer share them. */
  #shareThreads(): void {
    const busy = [...this.#running.values()].filter(({ activities }) => activities.size > 0);
    const threads = Math.max(1, Math.floor(this.#cores / Math.max(1, busy.length)));
    for (const running of busy) {
      if (running.threads === threads) continue;
      running.threads = threads;
      running.host.setThreads(threads);
    }
  }
}

const toPair = (path: string, adapter: string | null): string => `${path}\n${adapter ?? ''}`;

/** The adapter, if it was just being opened or used: its base is loaded before it. */
const toBlamed = ({ file, look }: Activity): { path: string; seen: SeenFile | null } =>
  file.adapter === null
    ? { path: file.path, seen: look?.weights ?? null }
    : { path: file.adapter, seen: look?.adapter ?? null };
