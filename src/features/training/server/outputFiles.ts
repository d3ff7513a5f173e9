// The files of a run that come from a worker: their names, how much room they may take, each kept whole or not at all.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LEASE_FILES, OUTPUT_NAME, PART } from '#features/training/shared/worker.ts';
import { readFreeDisk } from '#service/database/disk/freeDisk.ts';

/** A file that is not taken. The message says why and what to do. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  constructor(
    readonly code: 'no_room' | 'file_too_large' | 'too_many_files' | 'files_too_large',
    message: string,
  ) {
    super(message);
  }
}

export interface FileLimits {
  /** Bytes of one file, how many files a run has at a time, and bytes of all of them. */
  readonly bytes: number;
  readonly count: number;
  readonly allBytes: number;
  /** Bytes of the disk that stay free: the database is on it, too. */
  readonly spareBytes: number;
}

const LIMITS: FileLimits = { ...LEASE_FILES, spareBytes: 256 * 1024 ** 2 };
/** The free disk is looked at after so many bytes of a file. */
const LOOK_BYTES = 16 * 1024 ** 2;

/** The path of a file in a folder, by a name that another machine chose. Throws an Error for one that could leave it. */
export function toPathIn(folder: string, name: string): string {
  if (!OUTPUT_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a file.`);
  return join(folder, name);
}

export async function listOutput(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && OUTPUT_NAME.test(entry.name)).map(({ name }) => name);
}

interface Arriving {
  readonly name: string;
  /** As the sender says; null: unknown. */
  readonly bytes: number | null;
  readonly body: Readable;
  /** Called for each part of it. Throws when nothing more is taken. */
  readonly onBytes: () => void;
  /** Called before it takes its place. Throws as `onBytes`. */
  readonly onWhole?: () => Promise<void>;
}

export interface OutputFiles {
  /** Resolves once the whole file is in its place. Throws FileRefused, what `onBytes` throws, or the error of a disk. */
  receive(file: Arriving): Promise<void>;
}

const toGiB = (bytes: number): string => `${Math.ceil((bytes / 1024 ** 3) * 10) / 10} GiB`;

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** The files of one folder. */
export function openOutputFiles(folder: string, limits: FileLimits = LIMITS): OutputFiles {
  /** Bytes of those that are arriving, by their paths. */
  const arriving = new Map<string, number>();

  const noRoom = (): FileRefused =>
    new FileRefused(
      'no_room',
      `The studio's disk has no room for this file: ${toGiB(limits.spareBytes)} stay free for its database. Free some there.`,
    );
  const checkRoom = async (bytes: number): Promise<void> => {
    if ((await readFreeDisk(folder)) < bytes + limits.spareBytes) throw noRoom();
  };

  return {
    async receive({ name, bytes, body, onBytes, onWhole }) {
      const path = toPathIn(folder, name);
      const kept = (await listOutput(folder)).filter((each) => each !== name);
      const sizes = await Promise.all(kept.map(async (each) => (await stat(join(folder, each))).size));
      const keptBytes = sizes.reduce((sum, size) => sum + size, 0);
      if (kept.length + arriving.size >= limits.count)
        throw new FileRefused(
          'too_many_files',
          `The run has ${limits.count} files here already, which is the most. A checkpoint takes the place of those before.`,
        );
      const part = `${path}${PART}${randomUUID()}`;
      const check = (length: number): void => {
        if (length > limits.bytes)
          throw new FileRefused(
            'file_too_large',
            `A file of a run has at most ${toGiB(limits.bytes)}. Send a smaller one.`,
          );
        arriving.set(part, Math.max(length, bytes ?? 0));
        const all = [...arriving.values()].reduce((sum, each) => sum + each, keptBytes);
        if (all > limits.allBytes)
          throw new FileRefused(
            'files_too_large',
            `The files of a run have at most ${toGiB(limits.allBytes)} together. Send fewer forms of the model.`,
          );
      };
      let length = 0;
      let lookAt = LOOK_BYTES;
      async function* counted(): AsyncGenerator<Buffer> {
        // A refused sender hears why: its connection stays open.
        for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          onBytes();
          length += chunk.length;
          check(length);
          if (length >= lookAt) {
            await checkRoom(0);
            lookAt = length + LOOK_BYTES;
          }
          yield chunk;
        }
      }
      try {
        check(bytes ?? 0);
        await checkRoom(bytes ?? 0);
        await pipeline(counted, createWriteStream(part, { mode: 0o600 }));
        await onWhole?.();
        onBytes();
        await rename(part, path);
      } catch (error) {
        throw isFull(error) ? noRoom() : error;
      } finally {
        arriving.delete(part);
        await rm(part, { force: true });
      }
    },
  };
}
