async function within<Value, Late>(work: Promise<Value>, ms: number, atEnd: () => Late): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, late.then(atEnd)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects when work takes longer than it may, and drops what it gives later: a call of a network mount may hang for ever. */
export const inTime = <Value>(work: Promise<Value>, ms: number, toError: () => Error): Promise<Value> =>
  within(work, ms, () => {
    throw toError();
  });

/** What work gives within a time; null: it takes longer, and goes on. */
export const soon = <Value>(work: Promise<Value>, ms: number): Promise<Value | null> => within(work, ms, () => null);
