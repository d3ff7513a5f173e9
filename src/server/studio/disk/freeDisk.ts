// How much is free on the disk of a folder.
import { statfsSync, type StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

export const MIB = 1024 * 1024;

/** A disk that has no place for another file has no room either. Some file systems count no files. */
const toFree = ({ bavail, bsize, files, ffree }: StatsFs): number => (files > 0 && ffree === 0 ? 0 : bavail * bsize);

/** Bytes that are free on the disk of a folder. */
export const readFreeDisk = async (folder: string): Promise<number> => toFree(await statfs(folder));

/** The same between two statements of the embedded database, which reads and writes in this way, too. */
export const readFreeDiskNow = (folder: string): number => toFree(statfsSync(folder));
