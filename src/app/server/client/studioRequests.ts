// Requests of this program's other commands to a running studio, by the records of its endpoints.
import { readFile } from 'node:fs/promises';
import { paramNames, type Answer, type Endpoint } from '#core/contract/endpoint.ts';
import { isObject } from '#core/contract/readJson.ts';
import { parseTokenFile } from '#app/server/launch/tokenFile.ts';

/** The studio answered, and refused. */
export class StudioRefusal extends Error {
  override readonly name = 'StudioRefusal';

  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Sent {
  /** A value for each parameter of the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * Asks one endpoint, and gives its JSON; null: an empty answer. Throws StudioRefusal, or an Error for people if no studio
 * answers.
 */
export type AskStudio = <E extends Endpoint>(endpoint: E, sent?: Sent, signal?: AbortSignal) => Promise<Answer<E>>;

const ANSWER_MS = 60_000;

function toAddress({ path }: Endpoint, { params = {}, query = {} }: Sent): string {
  const filled = paramNames(path).reduce(
    (address, name) => address.replace(`{${name}}`, encodeURIComponent(params[name] ?? '')),
    path as string,
  );
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

const toMessage = (body: unknown, status: number): string => {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  return typeof error['message'] === 'string' ? error['message'] : `The studio answered ${status}.`;
};

/** `token`: it goes to the studio's address alone. */
export function openStudioRequests(studio: URL, token: string): AskStudio {
  const root = studio.href.replace(/\/+$/, '');
  return async (endpoint, sent = {}, signal) => {
    const isSent = sent.body !== undefined;
    let answer: Response;
    try {
      answer = await fetch(root + toAddress(endpoint, sent), {
        method: endpoint.method,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]),
        headers: { Authorization: `Bearer ${token}`, ...(isSent && { 'Content-Type': 'application/json' }) },
        ...(isSent && { body: JSON.stringify(sent.body) }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const isSlow = error instanceof Error && error.name === 'TimeoutError';
      throw new Error(
        isSlow
          ? `The studio at ${studio.origin} has not answered within a minute. Try again.`
          : `No studio answers at ${studio.origin}. Start it, or give its address with --studio.`,
        { cause: error },
      );
    }
    const body: unknown = answer.status === 204 ? null : await answer.json().catch(() => undefined);
    if (!answer.ok) throw new StudioRefusal(toMessage(body, answer.status), answer.status);
    if (body === undefined)
      throw new StudioRefusal(`What answers at ${studio.origin} is no studio. Give its address with --studio.`, 0);
    return body as never;
  };
}

/** The token in a file. Throws an Error for people. */
export async function readTokenFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The token file ${path} can't be read (${error.code}). Give its path with --token-file.`);
  });
  return parseTokenFile(bytes, path);
}
