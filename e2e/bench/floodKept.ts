// What the browser's database holds of the last answer: as its session keeps it, and as its record does.
import type { Page } from '@playwright/test';

interface Kept {
  /** The answer's text in the session. */
  readonly session: string;
  /** The recorded body: its two ends, as the middle of a long one is left out, and how long the whole of it was. */
  readonly start: string;
  readonly end: string;
  readonly characters: number;
}

export async function readKept(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const database = await toPromise(indexedDB.open('studio.playground'));
    const records = await toPromise(database.transaction('records').objectStore('records').getAll());
    database.close();
    const turn = records.findLast(({ role, versions }) => role === 'assistant' && versions[0]?.phase === 'done');
    const { raw = '', cut = null } = (records.findLast((record) => typeof record.raw === 'string') ?? {}) as {
      raw?: string;
      cut?: { at: number; characters: number } | null;
    };
    const at = cut?.at ?? raw.length;
    return {
      session: String(turn?.versions[0]?.message?.text ?? ''),
      start: raw.slice(0, at),
      end: raw.slice(at),
      characters: raw.length + (cut?.characters ?? 0),
    };
  });
}

/** What is kept otherwise than `body` came and `text` was said. */
export function toKeptFaults({ session, start, end, characters }: Kept, text: string, body: string): readonly string[] {
  const isRecorded = characters === body.length && body.startsWith(start) && body.endsWith(end) && start !== '';
  return [...(session === text ? [] : ['session']), ...(isRecorded ? [] : ['record'])];
}
