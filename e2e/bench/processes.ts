// Child processes of a benchmark: each writes its port as its first line, and ends with its parent.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Process {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a TypeScript file of this folder as a process of its own; resolves when it listens. */
export async function openProcess(file: string, args: readonly string[] = []): Promise<Process> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', resolve(import.meta.dirname, file), ...args],
    { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${Number(line.toString())}`,
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
