// What the doctor looks at on this machine: Node, the port, the free space, the program that trains.
import { access, constants, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isObject } from '#core/contract/readJson.ts';
import { MIB, readFreeDisk, toMebibytes } from '#service/database/disk/freeDisk.ts';
import { readReserve } from '#service/database/disk/reserve.ts';
import type { StartError } from '#service/database/startError.ts';
import { listen } from '#app/server/server.ts';
import type { Check } from './check.ts';

const MIN_NODE = [20, 19] as const;

/** `version`: as in `process.versions.node`. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const text = `Node ${version} is too old. Install Node ${MIN_NODE.join('.')} or later.`;
  return isEnough ? { name: 'Node', state: 'ok', text: `Node ${version}.` } : { name: 'Node', state: 'problem', text };
}

const ASK_MS = 2_000;

/** The version of the studio that answers at `origin`; null: something else does. */
async function findStudio(origin: string): Promise<string | null> {
  try {
    const answer = await fetch(`${origin}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ASK_MS),
    });
    const body: unknown = await answer.json();
    return isObject(body) && body['status'] === 'ok' && typeof body['version'] === 'string' ? body['version'] : null;
  } catch {
    return null;
  }
}

export async function checkPort(host: string, port: number): Promise<Check> {
  const name = 'Port';
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const server = createServer();
  try {
    await listen(server, host, port);
    await new Promise((resolve) => void server.close(resolve));
    return { name, state: 'ok', text: port === 0 ? `${host} has free ports.` : `${place} is free.` };
  } catch (error) {
    const { message, cause } = error as StartError;
    const version = cause === 'EADDRINUSE' ? await findStudio(`http://${place}`) : null;
    const text = `Model Studio ${version} runs on ${place}. To start a second one, give it --port and --data of its own.`;
    return version === null ? { name, state: 'problem', text: message } : { name, state: 'note', text };
  }
}

const GIB = 1024 ** 3;
/** A training writes its weights several times, and a database keeps copies while it tidies up. */
const COMFORTABLE_BYTES = 2 * GIB;
const LEAST_BYTES = GIB / 4;

async function findFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  const parent = dirname(path);
  return found?.isDirectory() || parent === path ? path : findFolder(parent);
}

/** Pure. `free`: in bytes. `reserve`: what the studio keeps for its database on a full disk. */
export function judgeSpace(free: number, dataDir: string, reserve = 0): Check {
  const name = 'Disk';
  const amount = free >= GIB ? `${(free / GIB).toFixed(1)} GiB` : toMebibytes(free);
  const kept = reserve >= MIB ? `, beside ${toMebibytes(reserve)} that are kept for the database on a full disk` : '';
  const found = `${amount} are free for ${dataDir}${kept}`;
  if (free < LEAST_BYTES) {
    const advice = 'The database needs more than that. Free space, or choose another folder with --data.';
    return { name, state: 'problem', text: `${found}. ${advice}` };
  }
  if (free < COMFORTABLE_BYTES)
    return { name, state: 'note', text: `${found}. Large uploads and trainings may need more.` };
  return { name, state: 'ok', text: `${found}.` };
}

export async function checkDisk(dataDir: string): Promise<Check> {
  return judgeSpace(await readFreeDisk(await findFolder(dataDir)), dataDir, readReserve(dataDir));
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** `command`: the words of --trainer; null: the built-in trainer. `search`: as the variable PATH. */
export async function checkTrainer(command: readonly string[] | 'none' | null, search: string): Promise<Check> {
  const name = 'Trainer';
  if (command === 'none') return { name, state: 'ok', text: 'None here: runs wait for workers (--trainer none).' };
  if (command === null) return { name, state: 'ok', text: 'The built-in trainer.' };
  const [program = ''] = command;
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const folders = isAbsolute(program) ? [''] : search.split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`)));
  for (const place of places)
    if (await isProgram(place)) return { name, state: 'ok', text: `Jobs are trained by ${place}.` };
  return {
    name,
    state: 'problem',
    text: `--trainer names the program ${program}, which ${
      isAbsolute(program) ? 'is not there or may not be run' : 'no folder of PATH has'
    }. Correct the command, or leave the flag out to use the built-in trainer.`,
  };
}
