/** Rejects when work takes longer than it may, and drops what it gives later: a call of a network mount may hang for ever. */
export async function inTime<Value>(work: Promise<Value>, ms: number, toError: () => Error): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(toError()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
