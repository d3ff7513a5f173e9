// The bytes of a project's file -> those of its lines, whether it is gzip'd or some browser has unpacked it.
import { createGunzip } from 'node:zlib';
import { MAX_INFLATED } from './records.ts';
import { refuseFile } from './transferProblem.ts';

type TakeBytes = (bytes: Uint8Array) => void;

export interface FileBytes {
  /** Resolves when all is taken that the bytes inflate to. Rejects with what taking threw, or an error of zlib. */
  write(bytes: Uint8Array): Promise<void>;
  /** Rejects with Z_BUF_ERROR if the file is cut off. */
  end(): Promise<void>;
}

/** Once it has failed, everything rejects. */
function openGunzip(take: TakeBytes): FileBytes {
  const gunzip = createGunzip();
  let isOver = false;
  /** Called when the inflater has ended or failed. */
  let settle: () => void = () => undefined;
  gunzip.on('data', (bytes: Uint8Array) => {
    try {
      take(bytes);
    } catch (error) {
      gunzip.destroy(error as Error);
    }
  });
  gunzip.on('end', () => {
    isOver = true;
    settle();
  });
  gunzip.on('error', () => settle());

  async function pass(send: (done: () => void) => void): Promise<void> {
    // It calls nothing back after its end: what follows that is padding. Other junk is an error of its own.
    if (!isOver && !gunzip.errored)
      await new Promise<void>((resolve) => {
        settle = resolve;
        send(resolve);
      });
    if (gunzip.errored) throw gunzip.errored;
  }

  return {
    write: (bytes) => pass((done) => gunzip.write(bytes, () => done())),
    end: () => pass(() => gunzip.end()),
  };
}

/** `take` gets the bytes in their order; what it throws refuses the file. */
export function openFileBytes(take: TakeBytes): FileBytes {
  let way: FileBytes | null = null;
  let head = Buffer.alloc(0);
  let inflated = 0;

  function count(bytes: Uint8Array): void {
    inflated += bytes.length;
    if (inflated > MAX_INFLATED)
      throw refuseFile('file_too_large', `The file inflates to more than ${MAX_INFLATED / 1024 ** 3} GiB.`);
    take(bytes);
  }

  return {
    async write(bytes) {
      if (way) return way.write(bytes);
      head = Buffer.concat([head, bytes]);
      if (head.length < 2) return;
      const isGzip = head[0] === 0x1f && head[1] === 0x8b;
      way = isGzip ? openGunzip(count) : { write: async (plain) => count(plain), end: async () => undefined };
      return way.write(head);
    },
    async end() {
      await way?.end();
    },
  };
}
