// For tests: a studio's library in memory, in the place of the browser's fetch. It checks revisions as the studio does.
import { afterEach, beforeEach, vi } from 'vitest';
import type { ItemChange, LibraryItem } from '#features/playground/shared/library.ts';

export interface MemoryLibrary {
  readonly items: Map<string, LibraryItem>;
  /** Methods and ids of the requests that change it. */
  readonly asked: string[];
  /** Answers a request instead; null: as the studio does. */
  refuse: (method: string, id: string) => Response | null | Promise<Response | null>;
  /** Runs a step once, when the studio has done a request such as `PUT a` and before the page has the answer. */
  during(request: string, step: () => void): void;
  /** What somebody else saves. */
  save(id: string, name: string | null, content: string): void;
}

export const fail = (status: number, code: string, current?: unknown): Response =>
  Response.json(
    { error: { message: `Refused: ${code}.`, code, ...(current !== undefined && { current }) } },
    { status },
  );

export const NO_LIBRARY = (): Response => fail(404, 'not_found');
export const READ_ONLY = (method: string): Response | null => (method === 'GET' ? null : fail(403, 'read_only_token'));

function toItem(id: string, { name, content, revision }: ItemChange, who: string | null): LibraryItem {
  const at = '2026-11-20T00:00:00.000Z';
  return { id, name, content, revision: revision + 1, created_at: at, updated_at: at, updated_by: who };
}

function answer({ items }: MemoryLibrary, path: string, { method = 'GET', body }: RequestInit): Response {
  const url = new URL(path, 'http://studio');
  const id = url.pathname.split('/')[6] ?? '';
  const old = items.get(id);
  if (method === 'GET') return Response.json({ items: [...items.values()] });
  if (method === 'DELETE') {
    if (!old) return fail(404, 'preset_not_found');
    if (String(old.revision) !== url.searchParams.get('revision')) return fail(409, 'item_changed', old);
    items.delete(id);
    return new Response(null, { status: 204 });
  }
  const change = JSON.parse(String(body)) as ItemChange;
  if ((old?.revision ?? 0) !== change.revision) return fail(409, 'item_changed', old ?? null);
  items.set(id, toItem(id, change, 'Me'));
  return Response.json(items.get(id));
}

/** A new one for each test of a file. */
export function keepLibrary(): MemoryLibrary {
  const steps = new Map<string, () => void>();
  const library: MemoryLibrary = {
    items: new Map(),
    asked: [],
    refuse: () => null,
    during: (request, step) => void steps.set(request, step),
    save: (id, name, content) => {
      const revision = library.items.get(id)?.revision ?? 0;
      library.items.set(id, toItem(id, { name, content, revision }, 'Anna'));
    },
  };
  beforeEach(() => {
    library.items.clear();
    library.asked.length = 0;
    library.refuse = () => null;
    steps.clear();
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      const { method = 'GET' } = init;
      const id = path.split(/[/?]/)[6] ?? '';
      if (method !== 'GET') library.asked.push(`${method} ${id}`);
      const response = (await library.refuse(method, id)) ?? answer(library, path, init);
      const request = `${method} ${id}`;
      const step = steps.get(request);
      steps.delete(request);
      step?.();
      return response;
    });
  });
  afterEach(() => vi.unstubAllGlobals());
  return library;
}
