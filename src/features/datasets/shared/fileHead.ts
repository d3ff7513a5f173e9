// The first bytes of a file, kept until they are enough to recognise it. Pure.
import { HEAD_BYTES } from '#core/rows/fileEncoding.ts';

export interface FileHead {
  /** The bytes that can be read now: all so far once they are enough, then each chunk. null: they are too few. */
  push(chunk: Uint8Array): Uint8Array | null;
  /** After the last chunk: the bytes of a file that has too few; null: all were given. */
  end(): Uint8Array | null;
}

/** `recognise`: called once with all bytes so far, before they are given. */
export function openFileHead(recognise: (bytes: Uint8Array) => void): FileHead {
  let head: Uint8Array | null = new Uint8Array(0);

  function give(bytes: Uint8Array): Uint8Array {
    head = null;
    recognise(bytes);
    return bytes;
  }

  return {
    push(chunk) {
      if (head === null) return chunk;
      const joined = new Uint8Array(head.length + chunk.length);
      joined.set(head);
      joined.set(chunk, head.length);
      if (joined.length >= HEAD_BYTES) return give(joined);
      head = joined;
      return null;
    },
    end: () => (head === null ? null : give(head)),
  };
}
