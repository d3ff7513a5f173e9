// For tests: files on mounts that do not answer.
import { execFileSync } from 'node:child_process';
import type { Files } from './files.ts';
import { Silence } from './mountCalls.ts';

/** 10:42:07 UTC. */
const SINCE = Date.UTC(2026, 0, 2, 10, 42, 7);

const forEver = (): Promise<never> => new Promise(() => undefined);
const refuse = (): Promise<never> => Promise.reject(new Silence(SINCE));

/** Calls that never return. */
export const hangingFiles: Files = { find: forEver, read: forEver };

/** It is known that they do not answer. */
export const silentFiles: Files = { find: refuse, read: refuse };

export const SILENCE = /its disk or network mount has not answered since 10:42:07 UTC/;

/** POSIX has it everywhere. */
const PIPE_MAKER = 'mkfifo';

/** A file that hangs when it is opened: until somebody opens it to write. */
export const makePipe = (path: string): void => void execFileSync(PIPE_MAKER, [path]);
