// What a thread makes of a file, stored in its order while the file arrives, with bounded memory: a piece waits until
// those before it are stored.
import type { Isolated } from '#service/threads/isolated.ts';

export interface StoreQueue<Piece> {
  /** Resolves when the next piece may come. Rejects with what went wrong, with this piece or one before. */
  add(piece: Promise<Piece>): Promise<void>;
  /** Resolves when all pieces are stored. */
  end(): Promise<void>;
  /** Ends the thread after the pieces that it has. */
  stop(): Promise<void>;
}

/** A thread reads what was sent to it before, less than a second of work. */
const PATIENCE_MS = 5_000;

/** `ahead`: pieces that the thread may have. `store`: called for one piece at a time. */
export function openStoreQueue<Piece>(
  isolated: Pick<Isolated<never>, 'end'>,
  ahead: number,
  store: (piece: Piece) => Promise<void>,
): StoreQueue<Piece> {
  const pending: Promise<void>[] = [];
  let last: Promise<void> = Promise.resolve();
  return {
    async add(piece) {
      // It may fail while others are still being stored.
      piece.catch(() => undefined);
      last = last.then(() => piece).then(store);
      last.catch(() => undefined);
      pending.push(last);
      if (pending.length >= ahead) await pending.shift();
    },
    end: () => last,
    async stop() {
      await isolated.end(PATIENCE_MS);
      await last.catch(() => undefined);
    },
  };
}
