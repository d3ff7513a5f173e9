// What a worker asks the studio for over HTTP. The token goes to the studio's address alone.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import * as z from 'zod/mini';
import { isObject } from '#core/contract/readJson.ts';
import {
  leaseSchema,
  linesReplySchema,
  WORKER_PROTOCOL,
  type InputName,
  type Lease,
  type SentEnd,
  type WantedLease,
  type LinesReply,
} from '#features/training/shared/worker.ts';
import { toPath } from '#core/contract/path.ts';

/** The lease has ended. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The studio refuses the request, and will refuse it again. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export interface StudioClient {
  /** null: nothing waits. */
  lease(wanted: Omit<WantedLease, 'protocol'>): Promise<Lease | null>;
  tell(leaseId: string, from: number, lines: readonly string[]): Promise<LinesReply>;
  end(leaseId: string, end: SentEnd): Promise<void>;
  /** `onSize` is awaited before the first byte is written, if the size is known. */
  downloadInput(
    leaseId: string,
    name: InputName,
    path: string,
    onSize?: (bytes: number) => Promise<void>,
  ): Promise<void>;
  downloadOutput(leaseId: string, name: string, path: string): Promise<void>;
  upload(leaseId: string, name: string, kind: 'checkpoint' | 'result', path: string): Promise<void>;
}

/** How long an answer to a short request may take. */
export const ANSWER_MS = 10_000;
/** And one to a question for a run, whose rows the studio writes first. */
const LEASE_MS = 5 * 60_000;

const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![408, 429].includes(status);

async function toMessage(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  const error = isObject(body) && isObject(body['error']) ? body['error'] : null;
  const message = error?.['message'];
  return typeof message === 'string' ? message : `The studio answered ${answer.status}.`;
}

/** The token that a launcher's code gives. Asked again with the same token, it gives it again. Throws Refused, or an Error of the network. */
export async function claimToken(studio: URL, code: string, token: string, ending: AbortSignal): Promise<string> {
  const answer = await fetch(`${studio.href.replace(/\/+$/, '')}/api/v1/studio/workers/claim`, {
    method: 'POST',
    body: JSON.stringify({ code, token }),
    headers: { 'Content-Type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.any([ending, AbortSignal.timeout(ANSWER_MS)]),
  });
  if (answer.ok) return token;
  const message = await toMessage(answer);
  throw isFinal(answer.status) ? new Refused(message) : new Error(message);
}

/** All throw: LeaseLost, Refused, or an Error of the network. `ending` ends what is asked, with its reason. */
export function openStudioClient(studio: URL, token: string, ending: AbortSignal): StudioClient {
  const root = studio.href.replace(/\/+$/, '');
  async function ask(path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> {
    const answer = await fetch(root + path, {
      signal: ending,
      ...init,
      redirect: 'error',
      headers: { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) },
    });
    if (answer.ok) return answer;
    const message = await toMessage(answer);
    if (answer.status === 409) throw new LeaseLost(message);
    throw isFinal(answer.status) ? new Refused(message) : new Error(message);
  }
  const post = (path: string, body: unknown, answerMs = ANSWER_MS): Promise<Response> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
      signal: AbortSignal.any([ending, AbortSignal.timeout(answerMs)]),
    });
  async function readAs<Schema extends z.ZodMiniType>(schema: Schema, answer: Response): Promise<z.infer<Schema>> {
    const parsed = schema.safeParse(await answer.json());
    if (parsed.success) return parsed.data;
    throw new Refused('The studio answered in a form that this worker does not know. Use the same version on both.');
  }
  async function download(path: string, file: string, onSize?: (bytes: number) => Promise<void>): Promise<void> {
    const { body, headers } = await ask(path);
    if (body === null) throw new Error('The studio sent an empty answer.');
    const size = Number(headers.get('content-length') ?? Number.NaN);
    if (Number.isFinite(size)) await onSize?.(size);
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(file, { mode: 0o600 }));
  }
  return {
    async lease(wanted) {
      // A studio of before has 1, and does not know the field.
      const sent = { ...wanted, ...(WORKER_PROTOCOL > 1 && { protocol: WORKER_PROTOCOL }) };
      const answer = await post('/api/v1/studio/workers/lease', sent, LEASE_MS);
      return answer.status === 204 ? null : readAs(leaseSchema, answer);
    },
    tell: async (leaseId, from, lines) =>
      readAs(
        linesReplySchema,
        await post(toPath('/api/v1/studio/workers/leases/{leaseId}/lines', [leaseId]), { from, lines }),
      ),
    async end(leaseId, end) {
      // The studio looks at the model before it answers.
      await ask(toPath('/api/v1/studio/workers/leases/{leaseId}/end', [leaseId]), {
        method: 'POST',
        body: JSON.stringify(end),
        headers: { 'Content-Type': 'application/json' },
      });
    },
    downloadInput: (leaseId, name, path, onSize) =>
      download(toPath('/api/v1/studio/workers/leases/{leaseId}/input/{name}', [leaseId, name]), path, onSize),
    downloadOutput: (leaseId, name, path) =>
      download(toPath('/api/v1/studio/workers/leases/{leaseId}/output/{name}', [leaseId, name]), path),
    async upload(leaseId, name, kind, path) {
      const { size } = await stat(path);
      await ask(toPath('/api/v1/studio/workers/leases/{leaseId}/output/{name}', [leaseId, name], { kind }), {
        method: 'PUT',
        body: Readable.toWeb(createReadStream(path)) as unknown as BodyInit,
        duplex: 'half',
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(size) },
      });
    },
  };
}
