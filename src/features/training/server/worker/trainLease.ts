// One lease from its job to its end. Files go to the studio before the line that names them.
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseTrainerLine, type TrainerEventOf, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { TRIED_BYTES } from '#features/training/shared/tried.ts';
import { MAX_LINES, OUTPUT_NAME, type Lease } from '#features/training/shared/worker.ts';
import { openTrainerProcess } from '#features/training/server/trainerProcess.ts';
import { LeaseLost, Refused, type StudioClient } from './studioClient.ts';

export interface LeaseDeps {
  readonly client: StudioClient;
  readonly command: readonly string[];
  readonly prepare: (lease: Lease) => Promise<{ folder: string; jobFile: string; job: TrainerJob }>;
  readonly tickMs: number;
  readonly stopping: AbortSignal;
}

/** Of one request, so that it stays below the limit of its body however it is escaped. */
const MOST_CHARACTERS = 64 * 1024;
/** Lines that wait to be sent. */
const MOST_WAITING = 20_000;

/** A file of the run's output folder that can be sent; null: it is no such file. */
async function findFile(job: TrainerJob, file: string): Promise<{ path: string; name: string } | null> {
  const path = resolve(job.output, file);
  const [real, root] = await Promise.all([realpath(path).catch(() => null), realpath(job.output)]);
  if (real === null) return null;
  const inside = relative(root, real);
  const name = basename(real);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside) || !OUTPUT_NAME.test(name)) return null;
  return (await stat(real)).isFile() ? { path: real, name } : null;
}

/** Resolves to what became of it, for the worker's log. Nothing of the trainer runs any more then. */
export async function trainLease(deps: LeaseDeps, lease: Lease): Promise<string> {
  const { client, command, tickMs, stopping } = deps;
  const { lease_id: id, seconds } = lease;
  let next = 0;
  let isLost = false;
  let heardAt = performance.now();
  let onStop: () => void = () => undefined;
  let onLost: () => void = () => undefined;

  /** Asks until it is done. Throws LeaseLost as soon as another machine may have the run. */
  async function hold<Value>(work: () => Promise<Value>): Promise<Value> {
    for (;;) {
      if (isLost) throw new LeaseLost('The lease has ended.');
      try {
        const value = await work();
        heardAt = performance.now();
        return value;
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof Refused) throw error;
        await wait(tickMs);
      }
    }
  }
  const lose = (): void => {
    isLost = true;
    onLost();
  };
  async function beat(): Promise<void> {
    try {
      const told = await client.tell(id, next, []);
      heardAt = performance.now();
      if (told.wish === 'stop') onStop();
    } catch (error) {
      // The studio counts this machine as gone after the same time.
      const isOver = performance.now() - heardAt > seconds * 1000;
      if (error instanceof LeaseLost || error instanceof Refused || isOver) lose();
    }
  }
  let beating: Promise<void> | null = null;
  const heart = setInterval(() => {
    beating ??= beat().finally(() => {
      beating = null;
    });
  }, tickMs);

  let job = lease.job;
  /** Of this machine. */
  let folder: string | null = null;
  async function sendFile(file: string, kind: 'checkpoint' | 'result'): Promise<string | null> {
    const found = await findFile(job, file);
    if (found === null) return null;
    await hold(() => client.upload(id, found.name, kind, found.path));
    return found.name;
  }

  /** The files of a folder, which lie in the output folder itself at the studio. Folders below it, such as checkpoints, stay here. */
  async function sendFolder(folderName: string): Promise<void> {
    const path = resolve(job.output, folderName);
    for (const name of await readdir(path).catch(() => [])) await sendFile(resolve(path, name), 'result');
  }

  /** The model of a checkpoint, if the studio can have it to be tried; null: there is none, or it is too large to be sent. */
  async function sendTried({
    model,
  }: TrainerEventOf<'checkpoint'>): Promise<TrainerEventOf<'checkpoint'>['model'] | null> {
    if (model == null || 'served_as' in model) return model ?? null;
    // Of a folder only that of the result is sent.
    if ('folder' in model) return null;
    const found = await findFile(job, model.file);
    if (found === null || (await stat(found.path)).size > TRIED_BYTES) return null;
    const name = await sendFile(model.file, 'result');
    return name === null ? null : { ...model, file: name };
  }

  /** What the trainer said of its end: the service that hears of it may be another one than that of its lines. */
  const last: string[] = [];

  /** The line as the studio gets it, whose files it has by then. */
  async function toSent(line: string): Promise<string> {
    const { problem, ...event } = parseTrainerLine(line);
    if (problem !== undefined) return line;
    if (event.type === 'failure') last.push(line);
    if (event.type === 'checkpoint') {
      const name = await sendFile(event.file, 'checkpoint');
      const model = name === null ? null : await sendTried(event);
      if (name !== null)
        return JSON.stringify({ type: 'checkpoint', step: event.step, file: name, ...(model && { model }) });
      const text = `The checkpoint of step ${event.step} is no file of the output folder: no other machine can go on from it.`;
      return JSON.stringify({ type: 'log', text });
    }
    if (event.type === 'result' && 'file' in event.model) {
      const file = (await sendFile(event.model.file, 'result')) ?? event.model.file;
      const files = [];
      for (const form of event.files ?? []) {
        const name = await sendFile(form.file, 'result');
        if (name !== null) files.push({ ...form, file: name });
      }
      const sent = JSON.stringify({ ...event, model: { ...event.model, file }, files });
      last.push(sent);
      return sent;
    }
    if (event.type === 'result' && 'folder' in event.model) {
      await sendFolder(event.model.folder);
      const sent = JSON.stringify({ ...event, model: { ...event.model, folder: '.' }, files: [] });
      last.push(sent);
      return sent;
    }
    if (event.type === 'result') last.push(line);
    return line;
  }

  try {
    const prepared = await hold(() => deps.prepare(lease));
    job = prepared.job;
    const lines: string[] = [];
    // What is no event may be dropped: a trainer can write more than a network takes.
    const onLine = (line: string): void => {
      if (lines.length < MOST_WAITING || line.startsWith('{')) lines.push(line);
    };
    const { jobFile } = prepared;
    ({ folder } = prepared);
    const trainer = openTrainerProcess({ command, jobFile, folder, onLine });
    onStop = () => trainer.stop();
    onLost = () => trainer.kill();
    if (isLost) trainer.kill();
    const stop = (): void => trainer.stop();
    stopping.addEventListener('abort', stop);
    if (stopping.aborted) stop();
    const state = { hasEnded: false };
    const ended = trainer.ended.then((end) => {
      state.hasEnded = true;
      return end;
    });
    try {
      while (!state.hasEnded || lines.length > 0) {
        const batch: string[] = [];
        let size = 0;
        while (lines.length > 0 && batch.length < MAX_LINES && size < MOST_CHARACTERS) {
          const line = await toSent(lines.shift() ?? '');
          size += line.length;
          batch.push(line);
        }
        if (batch.length > 0) {
          const from = next;
          const told = await hold(() => client.tell(id, from, batch));
          next = from + batch.length;
          if (told.wish === 'stop') trainer.stop();
        }
        if (lines.length === 0) await Promise.race([ended, wait(tickMs)]);
      }
      const { code, signal, problem } = await ended;
      const said = problem && `The trainer could not be started: ${problem}. Check the command of --trainer there.`;
      await hold(() => client.end(id, { code, signal, problem: said, last: last.slice(-2) }));
      return code === 0 ? 'it has ended.' : `its trainer ended with ${problem ?? signal ?? `the exit code ${code}`}.`;
    } finally {
      // Also after a fault: nobody else reads its lines.
      if (!state.hasEnded) trainer.kill();
      await ended;
      stopping.removeEventListener('abort', stop);
    }
  } catch (error) {
    if (error instanceof LeaseLost) return 'the lease has ended, and its trainer with it.';
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await client.end(id, { code: null, signal: null, problem }).catch(() => undefined);
    return `it was given up: ${problem}`;
  } finally {
    clearInterval(heart);
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
