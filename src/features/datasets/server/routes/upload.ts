// A form with one file, read as it arrives: its fields, and the file in chunks, no faster than they are taken.
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { dropRest, REST } from '#service/http/body.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { RouteEnv } from '#service/http/route.ts';

export interface UploadHandlers {
  /** The file begins. `fields`: those that came before it. `fileName`: as the sender wrote it, without folders. */
  onFile(fields: ReadonlyMap<string, string>, fileName: string | null): Promise<void>;
  onChunk(chunk: Uint8Array): Promise<void>;
}

const problem = (message: string, param: string | null = null, code = 'invalid_upload'): HttpProblem =>
  new HttpProblem(400, message, { param, code });

const SEND = 'Send multipart/form-data with the file in the part file, as the reference says.';

function openParser(incoming: IncomingMessage): InstanceType<typeof Busboy> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new HttpProblem(415, `The upload is not declared as a form. ${SEND}`, { code: 'unsupported_media_type' });
  try {
    return new Busboy({
      headers: { ...incoming.headers, 'content-type': type },
      limits: {
        files: 1,
        fields: DATA_LIMITS.parts,
        parts: DATA_LIMITS.parts + 1,
        fieldSize: DATA_LIMITS.fieldBytes,
        fieldNameSize: 100,
        fileSize: DATA_LIMITS.uploadBytes,
        headerPairs: 20,
      },
    });
  } catch {
    throw problem(`The Content-Type names no boundary. ${SEND}`);
  }
}

/** Takes and drops the rest of a failed upload: some before the answer, as of any body, and all the rest beside it. */
export const takeRest = (env: RouteEnv['Bindings']): Promise<void> =>
  dropRest(env, REST, { maxBytes: DATA_LIMITS.uploadBytes });

async function readFile(stream: BusboyFileStream, handlers: UploadHandlers): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) await handlers.onChunk(chunk);
  if (stream.truncated)
    throw new HttpProblem(413, `The file is larger than ${DATA_LIMITS.uploadBytes / 1024 ** 3} GiB. Split it.`, {
      param: 'file',
      code: 'file_too_large',
    });
}

/**
 * Reads the whole upload and returns its fields. Nothing is opened by the name of a file. Throws HttpProblem: 400 for
 * what is no form, is cut off or has no file; 413, 415; and what the handlers throw.
 */
export async function readUpload(
  incoming: IncomingMessage,
  handlers: UploadHandlers,
): Promise<ReadonlyMap<string, string>> {
  const parser = openParser(incoming);
  const fields = new Map<string, string>();
  let file: Promise<void> | null = null;
  let refusal: unknown = null;
  let isEnded = false;
  let open: BusboyFileStream | null = null;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = (reason: unknown): void => {
    refusal ??= reason;
    incoming.unpipe(parser);
    // Whoever reads the file must not wait for the rest of it.
    open?.destroy();
    end();
  };

  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) stop(problem(`The field ${name} is longer than ${DATA_LIMITS.fieldBytes} bytes.`, name));
    else if (!fields.has(name)) fields.set(name, value);
  });
  parser.on('file', (name, stream, fileName: string | undefined) => {
    if (name !== 'file') {
      stream.resume();
      return stop(problem(`The file is in the part ${name.slice(0, 100)}. Send it in the part file.`, 'file'));
    }
    open = stream;
    file = handlers
      .onFile(fields, fileName ?? null)
      .then(() => readFile(stream, handlers))
      .catch((error: unknown) => {
        stop(error);
      });
    return undefined;
  });
  const tooMany = (): void =>
    stop(problem(`The form has more than ${DATA_LIMITS.parts} fields. Leave out the others.`));
  const twoFiles = (): void =>
    stop(problem('The form has more than one file. Send each in a request of its own.', 'file'));
  parser.on('partsLimit', tooMany).on('filesLimit', twoFiles).on('fieldsLimit', tooMany);
  parser.on('finish', () => {
    isEnded = true;
    end();
  });
  parser.on('error', (error: unknown) => {
    const isOurs = refusal !== null;
    if (!isOurs)
      stop(problem(`The form can not be read (${error instanceof Error ? error.message : 'unknown'}). ${SEND}`));
  });
  const onCut = (): void => {
    if (!incoming.complete)
      stop(problem('The connection closed before the whole upload had arrived.', null, 'body_incomplete'));
  };
  incoming.on('close', onCut).on('aborted', onCut);
  incoming.pipe(parser);
  try {
    await over;
    await file;
  } finally {
    incoming.off('close', onCut).off('aborted', onCut);
  }
  if (refusal !== null) throw refusal;
  if (!isEnded) throw problem(`The form ends before its last boundary. ${SEND}`);
  if (file === null) throw problem(`The form has no file. ${SEND}`, 'file');
  return fields;
}
