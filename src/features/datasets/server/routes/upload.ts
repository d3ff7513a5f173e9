// A form with a file, or several, read as it arrives: its fields, and the files in chunks, no faster than they are taken.
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { dropRest, REST } from '#service/http/body.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { RouteEnv } from '#service/http/route.ts';

export interface UploadHandlers {
  /** A file begins. `fields`: those that came before it. `fileName`: as the sender wrote it, without folders. `part`: its name. */
  onFile(fields: ReadonlyMap<string, string>, fileName: string | null, part: string): Promise<void>;
  onChunk(chunk: Uint8Array): Promise<void>;
}

const problem = (message: string, param: string | null = null, code = 'invalid_upload'): HttpProblem =>
  new HttpProblem(400, message, { param, code });

const toNames = (parts: readonly string[]): string => parts.join(' and ');

const toSend = (parts: readonly string[]): string =>
  `Send multipart/form-data with the ${parts.length === 1 ? 'file in the part' : 'files in the parts'} ${toNames(parts)}, as ` +
  'the reference says.';

function openParser(incoming: IncomingMessage, parts: readonly string[]): InstanceType<typeof Busboy> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new HttpProblem(415, `The upload is not declared as a form. ${toSend(parts)}`, {
      code: 'unsupported_media_type',
    });
  try {
    return new Busboy({
      headers: { ...incoming.headers, 'content-type': type },
      limits: {
        files: parts.length,
        fields: DATA_LIMITS.parts,
        parts: DATA_LIMITS.parts + parts.length,
        fieldSize: DATA_LIMITS.fieldBytes,
        fieldNameSize: 100,
        fileSize: DATA_LIMITS.uploadBytes,
        headerPairs: 20,
      },
    });
  } catch {
    throw problem(`The Content-Type names no boundary. ${toSend(parts)}`);
  }
}

/** Takes and drops the rest of a failed upload: some before the answer, as of any body, and all the rest beside it. */
export const takeRest = (env: RouteEnv['Bindings']): Promise<void> =>
  dropRest(env, REST, { maxBytes: DATA_LIMITS.uploadBytes });

async function readFile(stream: BusboyFileStream, handlers: UploadHandlers, part: string): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) await handlers.onChunk(chunk);
  if (stream.truncated)
    throw new HttpProblem(413, `The file is larger than ${DATA_LIMITS.uploadBytes / 1024 ** 3} GiB. Split it.`, {
      param: part,
      code: 'file_too_large',
    });
}

/**
 * Reads the whole upload and returns its fields. `parts`: the names of its files, each of which may come once; the first must. Nothing is opened by the name of a file. Throws HttpProblem: 400 for
 * what is no form, is cut off or has no file; 413, 415; and what the handlers throw.
 */
export async function readUpload(
  incoming: IncomingMessage,
  handlers: UploadHandlers,
  parts: readonly string[] = ['file'],
): Promise<ReadonlyMap<string, string>> {
  const parser = openParser(incoming, parts);
  const names = new Set<string>();
  const fields = new Map<string, string>();
  let reading: Promise<void> = Promise.resolve();
  let refusal: unknown = null;
  let isEnded = false;
  const open = new Set<BusboyFileStream>();
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = (reason: unknown): void => {
    refusal ??= reason;
    incoming.unpipe(parser);
    // Whoever reads the file must not wait for the rest of it.
    for (const stream of open) stream.destroy();
    end();
  };

  async function take(before: Promise<void>, stream: BusboyFileStream, name: string, fileName: string | null) {
    await before;
    if (refusal !== null) return;
    await handlers.onFile(fields, fileName, name);
    await readFile(stream, handlers, name);
  }

  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) stop(problem(`The field ${name} is longer than ${DATA_LIMITS.fieldBytes} bytes.`, name));
    else if (!fields.has(name)) fields.set(name, value);
  });
  parser.on('file', (name, stream, fileName: string | undefined) => {
    if (!parts.includes(name) || names.has(name)) {
      stream.resume();
      const where = names.has(name) ? 'come twice' : `are in the part ${name.slice(0, 100)}`;
      const what =
        parts.length === 1 ? `The file is in the part ${name.slice(0, 100)}. Send it` : `Files ${where}. Send each`;
      return stop(problem(`${what} in the part ${toNames(parts)}.`, parts[0] ?? null));
    }
    names.add(name);
    open.add(stream);
    // One after the other: the parser waits until a file is taken.
    reading = take(reading, stream, name, fileName ?? null).catch(stop);
    return undefined;
  });
  const tooMany = (): void =>
    stop(problem(`The form has more than ${DATA_LIMITS.parts} fields. Leave out the others.`));
  const twoFiles = (): void =>
    stop(
      problem(
        parts.length === 1
          ? 'The form has more than one file. Send each in a request of its own.'
          : `The form has more files than ${toNames(parts)}. Leave out the others.`,
        parts[0] ?? null,
      ),
    );
  parser.on('partsLimit', tooMany).on('filesLimit', twoFiles).on('fieldsLimit', tooMany);
  parser.on('finish', () => {
    isEnded = true;
    end();
  });
  parser.on('error', (error: unknown) => {
    const isOurs = refusal !== null;
    if (!isOurs)
      stop(
        problem(`The form can not be read (${error instanceof Error ? error.message : 'unknown'}). ${toSend(parts)}`),
      );
  });
  const onCut = (): void => {
    if (!incoming.complete)
      stop(problem('The connection closed before the whole upload had arrived.', null, 'body_incomplete'));
  };
  incoming.on('close', onCut).on('aborted', onCut);
  incoming.pipe(parser);
  try {
    await over;
    await reading;
  } finally {
    incoming.off('close', onCut).off('aborted', onCut);
  }
  if (refusal !== null) throw refusal;
  if (!isEnded) throw problem(`The form ends before its last boundary. ${toSend(parts)}`);
  const [missing = ''] = parts;
  if (!names.has(missing))
    throw problem(`The form has no ${parts.length === 1 ? 'file' : missing}. ${toSend(parts)}`, missing);
  return fields;
}
