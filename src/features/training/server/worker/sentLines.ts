// Lines of a trainer as the studio gets them: it has their files by then.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { parseTrainerLine, type TrainerEventOf, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { TRIED_BYTES } from '#features/training/shared/trainedModelIds.ts';
import { OUTPUT_NAME } from '#features/training/shared/worker.ts';

type Upload = (name: string, kind: 'checkpoint' | 'result', path: string) => Promise<void>;

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

export class SentLines {
  readonly #job: TrainerJob;
  readonly #upload: Upload;
  /** What the trainer said of its end: the service that hears of it may be another one than that of its lines. */
  readonly last: string[] = [];

  constructor(job: TrainerJob, upload: Upload) {
    this.#job = job;
    this.#upload = upload;
  }

  async #sendFile(file: string, kind: 'checkpoint' | 'result'): Promise<string | null> {
    const found = await findFile(this.#job, file);
    if (found === null) return null;
    await this.#upload(found.name, kind, found.path);
    return found.name;
  }

  /** The files of a folder, which lie in the output folder itself at the studio. Folders below it, such as checkpoints, stay here. */
  async #sendFolder(folder: string): Promise<void> {
    const path = resolve(this.#job.output, folder);
    for (const name of await readdir(path).catch(() => [])) await this.#sendFile(resolve(path, name), 'result');
  }

  /** The model of a checkpoint, if the studio can have it to be tried; null: there is none, or it is too large to be sent. */
  async #sendTried(model: TrainerEventOf<'checkpoint'>['model']): Promise<typeof model> {
    if (model == null || 'served_as' in model) return model ?? null;
    // Of a folder only that of the result is sent.
    if ('folder' in model) return null;
    const found = await findFile(this.#job, model.file);
    if (found === null || (await stat(found.path)).size > TRIED_BYTES) return null;
    const name = await this.#sendFile(model.file, 'result');
    return name === null ? null : { ...model, file: name };
  }

  async #sendCheckpoint({ step, file, model: given }: TrainerEventOf<'checkpoint'>): Promise<string> {
    const name = await this.#sendFile(file, 'checkpoint');
    const model = name === null ? null : await this.#sendTried(given);
    if (name !== null) return JSON.stringify({ type: 'checkpoint', step, file: name, ...(model && { model }) });
    const text = `The checkpoint of step ${step} is no file of the output folder: no other machine can go on from it.`;
    return JSON.stringify({ type: 'log', text });
  }

  /** null: the model is served elsewhere. */
  async #sendResult(event: TrainerEventOf<'result'>): Promise<string | null> {
    const { model } = event;
    if ('folder' in model) {
      await this.#sendFolder(model.folder);
      return JSON.stringify({ ...event, model: { ...model, folder: '.' }, files: [] });
    }
    if (!('file' in model)) return null;
    const file = (await this.#sendFile(model.file, 'result')) ?? model.file;
    const files = [];
    for (const form of event.files ?? []) {
      const name = await this.#sendFile(form.file, 'result');
      if (name !== null) files.push({ ...form, file: name });
    }
    return JSON.stringify({ ...event, model: { ...model, file }, files });
  }

  async toSent(line: string): Promise<string> {
    const { problem, ...event } = parseTrainerLine(line);
    if (problem !== undefined) return line;
    if (event.type === 'checkpoint') return this.#sendCheckpoint(event);
    const sent = event.type === 'result' ? ((await this.#sendResult(event)) ?? line) : line;
    if (event.type === 'result' || event.type === 'failure') this.last.push(sent);
    return sent;
  }
}
