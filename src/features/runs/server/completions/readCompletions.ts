// Reads a page of completions in a thread of its own, which a damaged or hostile file may fill or keep busy: then only
// this thread ends, and the person gets the reason.
import { openThread, type ApartEnd } from '#service/threads/apart.ts';
import { moving, openAsks } from '#service/threads/asks.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import type { ReadCompletions } from './completionPage.ts';
import type { CompletionsThread } from './completionsApart.ts';

const MAX_MEMORY_MB = 1536;
const LONGEST_MS = 30_000;

export const openCompletionsReader =
  (longest = LONGEST_MS): ReadCompletions =>
  async (bytes, file, question) => {
    const toError = ({ cause, error }: ApartEnd): Error => {
      if (cause === 'failed' && error) return error;
      const size = `${MAX_MEMORY_MB.toLocaleString('en')} MiB of memory`;
      const why = cause === 'memory' ? `needs more than ${size}` : `takes longer than ${longest / 1000} s`;
      return new Unreadable(`${file} can't be read: it ${why}. It may be damaged.`);
    };
    const { apart, ask } = openAsks<CompletionsThread>(
      (onMessage) =>
        openThread({ entry: new URL('./completionsApart.ts', import.meta.url), memoryMb: MAX_MEMORY_MB, onMessage }),
      { toError, refusal: Unreadable },
    );
    const timer = setTimeout(() => void apart.end(), longest);
    try {
      return await ask('readPage', moving(bytes, [bytes.buffer as ArrayBuffer]), file, question);
    } finally {
      clearTimeout(timer);
      void apart.end();
    }
  };
