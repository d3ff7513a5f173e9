// A trainer as a child process: in a process group of its own, of low priority, with its lines.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { withoutSecrets } from '#service/threads/childEnvironment.ts';
import { openLineCutter } from './lineCutter.ts';
import { openMachineUsage } from './machineUsage.ts';

export interface TrainerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly problem: string | null;
  /** It is on another machine, of which nothing is heard: another one may go on with its run. */
  readonly isGone?: true;
}

export interface TrainerProcess {
  readonly pid: number | null;
  /** Asks it to save a checkpoint and end. */
  stop(): void;
  /** Ends it and all that it has started. */
  kill(): void;
  /** Nothing of its group runs any more, and all of its lines have been given. */
  readonly ended: Promise<TrainerEnd>;
}

export interface TrainerProcessOptions {
  readonly command: readonly string[];
  readonly jobFile: string;
  readonly folder: string;
  readonly onLine: (line: string, isError: boolean) => void;
}

const IS_WINDOWS = process.platform === 'win32';
/** Time for the last lines after the process has ended. */
const LAST_LINES_MS = 2_000;

/** Sends a signal to a process group. On Windows it ends the process and its children. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!IS_WINDOWS) process.kill(-pid, signal);
    else if (signal === 'SIGKILL') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
  } catch {
    // It has ended.
  }
}

/** The kernel takes such a change only so often, from all processes together. */
const RETRY_MS = 150;
const RETRIES = 20;

/**
 * Where Linux shares the processors between sessions first (autogroup), the priority of a process counts within its
 * session alone, and a trainer has one of its own: it took half of the processors from the browser and from chat.
 */
function lowerSession(pid: number, retries = RETRIES): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch (error) {
    // Otherwise it has ended, or there are no such groups.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && retries > 0)
      setTimeout(() => lowerSession(pid, retries - 1), RETRY_MS).unref();
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system doesn't allow it. It trains all the same.
  }
  if (process.platform === 'linux') lowerSession(pid);
}

export function openTrainerProcess({ command, jobFile, folder, onLine }: TrainerProcessOptions): TrainerProcess {
  const [program = '', ...args] = command;
  // stdin stays open as long as the studio runs: a trainer may end when it closes.
  const child = spawn(program, [...args, jobFile], {
    cwd: folder,
    env: withoutSecrets(),
    detached: !IS_WINDOWS,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const pid = child.pid ?? null;
  if (pid !== null) lowerPriority(pid);
  const usage = pid === null ? null : openMachineUsage(pid);
  // Writes to a trainer that has closed its input: there are none, but the stream reports its end.
  child.stdin.on('error', () => undefined);
  const cutters = [
    openLineCutter((line) => onLine(usage?.addTo(line) ?? line, false)),
    openLineCutter((line) => onLine(line, true)),
  ];
  for (const [index, stream] of [child.stdout, child.stderr].entries()) {
    stream.on('data', (bytes: Buffer) => cutters[index]?.push(bytes));
    stream.on('error', () => undefined);
  }
  const ended = new Promise<TrainerEnd>((resolve) => {
    let end: TrainerEnd | null = null;
    const finish = (): void => {
      usage?.close();
      for (const cutter of cutters) cutter.end();
      child.stdout.destroy();
      child.stderr.destroy();
      child.stdin.destroy();
      resolve(end ?? { code: child.exitCode, signal: child.signalCode, problem: null });
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (pid !== null) return;
      const what = error.code === 'ENOENT' ? `there is no program ${program}` : (error.code ?? error.message);
      end = { code: null, signal: null, problem: what };
      finish();
    });
    child.once('exit', (code, signal) => {
      end = { code, signal, problem: null };
      // What it has started may go on and hold its output open.
      if (pid !== null) signalGroup(pid, 'SIGKILL');
      const timer = setTimeout(finish, LAST_LINES_MS);
      child.once('close', () => {
        clearTimeout(timer);
        finish();
      });
    });
  });
  return {
    pid,
    stop() {
      if (pid === null) return;
      if (IS_WINDOWS) child.stdin.end();
      else signalGroup(pid, 'SIGTERM');
    },
    kill() {
      if (pid !== null) signalGroup(pid, 'SIGKILL');
    },
    ended,
  };
}
