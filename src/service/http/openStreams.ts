// The answers that are being generated now, so that a shutdown can end each of them properly.

export interface OpenStreams {
  /** Registers a running answer. Shutdown calls `end` once. Call the returned function when the answer is over. */
  add(end: () => void): () => void;
  /** Ends every running answer. From then on, `add` ends a new one at once. */
  endAll(): void;
  readonly count: number;
}

export function openStreams(): OpenStreams {
  const running = new Set<() => void>();
  let isEnding = false;
  return {
    add(end) {
      if (isEnding) end();
      else running.add(end);
      return () => void running.delete(end);
    },
    endAll() {
      isEnding = true;
      for (const end of running) end();
      running.clear();
    },
    get count() {
      return running.size;
    },
  };
}
