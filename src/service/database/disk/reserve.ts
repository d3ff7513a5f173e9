// Space that is kept for the embedded database: a file that is given up once the disk is full. With it the database can
// remove what did not fit, end well and start again.
import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FREE_AGAIN, MIB, readFreeDiskNow, RESERVE_BYTES, toMebibytes } from './freeDisk.ts';

const NAME = 'reserve';

interface ReserveOptions {
  readonly onWarning: (text: string) => void;
  /** Tests put a disk of their own in its place. */
  readonly readFree?: (folder: string) => number;
  readonly times?: { readonly firstMs: number; readonly lookMs: number };
}

/** A start has better things to do, and other programs fill a disk in minutes. */
const TIMES = { firstMs: 10_000, lookMs: 2_000 };

export interface Reserve {
  /** Gives it up if the disk is full. Returns the bytes that are free then. */
  look(): number;
  close(): void;
}

/** Bytes that it holds; 0: there is none. */
export const readReserve = (folder: string): number =>
  statSync(join(folder, NAME), { throwIfNoEntry: false })?.size ?? 0;

/** Gives it up if the disk is full. Returns the bytes that are free then. */
export function giveUpReserve(folder: string, readFree = readFreeDiskNow): number {
  if (readFree(folder) < RESERVE_BYTES) rmSync(join(folder, NAME), { force: true });
  return readFree(folder);
}

/** Random, so that no file system stores it in less. */
async function makeReserve(folder: string): Promise<void> {
  const part = join(folder, `${NAME}.part`);
  try {
    const file = await open(part, 'w', 0o600);
    try {
      for (let bytes = 0; bytes < RESERVE_BYTES; bytes += MIB) await file.write(randomBytes(MIB));
    } finally {
      await file.close();
    }
    await rename(part, join(folder, NAME));
  } finally {
    await rm(part, { force: true });
  }
}

/** Begins to look at the disk of a folder. The reserve is made once there is room for it. */
export function openReserve(folder: string, options: ReserveOptions): Reserve {
  const { onWarning, readFree = readFreeDiskNow, times = TIMES } = options;
  let hasReserve = readReserve(folder) === RESERVE_BYTES;
  let isLow = false;
  let timer: NodeJS.Timeout | null = null;

  function look(): number {
    const free = readFree(folder);
    if (free >= RESERVE_BYTES) return free;
    if (!isLow)
      onWarning(
        `The disk of ${folder} is full: ${toMebibytes(free)} are free. Free ${toMebibytes(FREE_AGAIN)} there. ` +
          'Until then no file is imported.',
      );
    isLow = true;
    hasReserve = false;
    return giveUpReserve(folder, readFree);
  }

  async function lookAndMake(): Promise<void> {
    if (look() < FREE_AGAIN || hasReserve) return;
    if (isLow) onWarning(`The disk of ${folder} has room again.`);
    isLow = false;
    await makeReserve(folder);
    hasReserve = true;
  }

  function lookLater(ms: number): void {
    timer = setTimeout(() => {
      void lookAndMake()
        .catch(() => undefined)
        .then(() => timer && lookLater(times.lookMs));
    }, ms);
    timer.unref();
  }
  lookLater(times.firstMs);
  return {
    look,
    close() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
