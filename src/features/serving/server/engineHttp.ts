// The endpoints of the server of `--engine`, with its key.
import { isObject, parseJson, textOr } from '#core/contract/readJson.ts';
import { CannotServe } from './cannotServe.ts';

export interface EngineHttp {
  /** For messages. */
  readonly origin: string;
  /** Any answer within `ms`. Throws CannotServe. */
  send(path: string, init: EngineRequest, ms?: number): Promise<Response>;
  sendJson(method: string, path: string, body: unknown): Promise<Response>;
  /** The text of the answer. Throws CannotServe, also where the server refuses. */
  post(path: string, body: unknown): Promise<string>;
  /** null: there is no such endpoint, or no answer soon. */
  read(path: string): Promise<unknown>;
  /** The message of a server's error, whichever form it has, without the key. */
  toReason(text: string): string;
  readReason(response: Response): Promise<string>;
}

interface EngineRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
  /** Node's fetch wants it for a body that is a stream. */
  readonly duplex?: 'half';
}

const ASK_MS = 3_000;
const LOAD_MS = 300_000;
const MAX_TEXT = 64 * 1024;

const readBody = async (response: Response): Promise<string> =>
  (await response.text().catch(() => '')).slice(0, MAX_TEXT);

/** `baseUrl`: with or without `/v1`. */
export function openEngineHttp(baseUrl: string, apiKey: string | null): EngineHttp {
  const root = new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v1$/, '');
  const { origin } = new URL(baseUrl);
  const key: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };

  async function send(path: string, { headers, ...init }: EngineRequest, ms = LOAD_MS): Promise<Response> {
    try {
      const signal = AbortSignal.timeout(ms);
      return await fetch(`${root}${path}`, { redirect: 'error', signal, ...init, headers: { ...key, ...headers } });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
      throw new CannotServe(`The engine at ${origin} can't be reached (${reason}). Start it, or correct --engine.`);
    }
  }

  const sendJson = (method: string, path: string, body: unknown): Promise<Response> =>
    send(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  function toReason(text: string): string {
    const clean = apiKey ? text.replaceAll(apiKey, '[key]') : text;
    const body = parseJson(clean);
    if (isObject(body)) {
      const { error, message, detail, error_message: sglang } = body;
      return textOr(isObject(error) ? error['message'] : error, textOr(message ?? sglang, textOr(detail, clean)));
    }
    return clean.trim() || 'no reason given';
  }

  return {
    origin,
    send,
    sendJson,
    toReason,
    readReason: async (response) => toReason(await readBody(response)),
    async post(path, body) {
      const response = await sendJson('POST', path, body);
      const text = await readBody(response);
      if (response.ok) return text;
      throw new CannotServe(`The engine at ${origin} refuses (status ${response.status}): ${toReason(text)}`);
    },
    async read(path) {
      const response = await send(path, { method: 'GET' }, ASK_MS).catch(() => null);
      if (!response?.ok) return null;
      try {
        return JSON.parse(await readBody(response));
      } catch {
        return null;
      }
    },
  };
}
