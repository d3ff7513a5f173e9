// How much is free on the disk of a folder, and when that is too little.
import { statfsSync, type StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { toReason } from '#service/database/database.ts';
import { StartError } from '#service/database/startError.ts';

export const MIB = 1024 * 1024;

/** Stays free for the database, whose log may need it: nothing large is stored where less is free. */
const LEAST_FREE = 64 * MIB;
/** Two files of the database's log, which it makes as a whole: kept for a full disk (reserve.ts). */
export const RESERVE_BYTES = 32 * MIB;
/** What a person should free on a full disk. */
export const FREE_AGAIN = LEAST_FREE + RESERVE_BYTES;

/** A disk that has no place for another file has no room either. Some file systems count no files. */
const toFree = ({ bavail, bsize, files, ffree }: StatsFs): number => (files > 0 && ffree === 0 ? 0 : bavail * bsize);

/** Bytes that are free on the disk of a folder. */
export const readFreeDisk = async (folder: string): Promise<number> => toFree(await statfs(folder));

/** The same between two statements of the embedded database, which reads and writes in this way, too. */
export const readFreeDiskNow = (folder: string): number => toFree(statfsSync(folder));

/** `12 MiB` */
export const toMebibytes = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`;

/** Too little is free for what was to be stored. The message is for people. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  constructor(folder: string, free: number, needed: number) {
    const more = needed === 0 ? '' : `this needs ${toMebibytes(needed)} beside the `;
    const kept = `${toMebibytes(LEAST_FREE)} ${needed === 0 ? 'are' : 'that are'} kept free for the database`;
    super(`Only ${toMebibytes(free)} are free on the disk of ${folder}, and ${more}${kept}.`);
  }
}

/** Throws DiskFull unless there is room for so many bytes beside what the database needs. */
export function checkFreeDisk(folder: string, bytes: number, free = readFreeDiskNow(folder)): void {
  if (free < LEAST_FREE + bytes) throw new DiskFull(folder, free, bytes);
}

const FULL = /no space (?:is )?left|disk quota|disk full|ENOSPC|EDQUOT/i;

/** Whether something failed because a disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof DiskFull ||
  FULL.test(toReason(error)) ||
  (error instanceof Error && error.cause !== undefined && isDiskFull(error.cause));

/** What to say of a database that `has` come to an end, if the disk of its folder is full; null: something else ended it. */
export function toFullDisk(
  folder: string,
  error: unknown,
  has: string,
  free = readFreeDiskNow(folder),
): StartError | null {
  if (free >= RESERVE_BYTES && !isDiskFull(error)) return null;
  return new StartError(
    `The disk of ${folder} is full (${toMebibytes(free)} are free), so the database ${has}. Nothing says that it is damaged: ` +
      `leave it where it is. Free at least ${toMebibytes(FREE_AGAIN)} there and start again. Nothing was deleted.`,
    { cause: error },
  );
}
