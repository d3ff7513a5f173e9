// Sends a form with a file. XMLHttpRequest, because fetch says nothing of how much has been sent.
import type { AnyEndpoint } from '#core/contract/endpoint.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { toAborted, toNetworkFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN, type Connection, type TextAnswer } from '#ui/client/request.ts';

export interface SendOptions {
  /** Bytes sent, and all there are. */
  readonly onProgress: (bytes: number, total: number) => void;
  readonly signal: AbortSignal;
  readonly connection?: Connection;
}

/** What the service tells beside the error of a refused form; undefined: nothing. */
export function readBeside(text: string, field: string): unknown {
  const body = parseJson(text);
  return isObject(body) ? body[field] : undefined;
}

function toHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

type FormPath = Extract<AnyEndpoint, { readonly form: unknown }>['path'];

/**
 * The answer, whatever its status. Throws ApiFailure where there is none. There is no time limit: a file may take hours, and
 * a person can stop it.
 */
export function sendForm(path: FormPath, form: FormData, options: SendOptions): Promise<TextAnswer> {
  const { onProgress, signal, connection = SAME_ORIGIN } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(toAborted());
      return;
    }
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const end = (act: () => void) => (): void => {
      signal.removeEventListener('abort', stop);
      act();
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener(
      'load',
      end(() => {
        const { status, responseText: text } = request;
        resolve({ status, text, headers: toHeaders(request.getAllResponseHeaders()) });
      }),
    );
    request.addEventListener(
      'error',
      end(() => reject(toNetworkFailure('The connection broke while the file was sent.', true))),
    );
    request.addEventListener(
      'abort',
      end(() => reject(toAborted())),
    );
    signal.addEventListener('abort', stop);
    request.open('POST', `${connection.baseUrl}${path}`);
    request.send(form);
  });
}
