// A program of this machine that answers and ends: a cluster's own commands, or one of the operator.
import { spawn } from 'node:child_process';
import { withoutSecrets } from '#service/threads/childEnvironment.ts';

export interface ToolAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const ANSWER_MS = 60_000;
const MAX_ANSWER = 4 * 1024 * 1024;

/** Throws an Error for people if it can't be started, does not end in time, is killed, or writes too much. */
export function runTool(
  [program = '', ...args]: readonly string[],
  input: string,
  answerMs = ANSWER_MS,
): Promise<ToolAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: withoutSecrets(), stdio: 'pipe', windowsHide: true });
    const parts: Record<'out' | 'err', Buffer[]> = { out: [], err: [] };
    let size = 0;
    const fail = (what: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      // What it has started may hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(new Error(`${program} ${what}`));
    };
    const timer = setTimeout(() => fail(`did not answer within ${answerMs / 1000} s`), answerMs);
    for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
      stream.on('data', (bytes: Buffer) => {
        size += bytes.length;
        if (size > MAX_ANSWER) fail('wrote more than an answer may have');
        else parts[name].push(bytes);
      });
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? 'is not there' : `could not be started (${error.code ?? error.message})`),
    );
    child.once('close', (code, signal) => {
      if (code === null) return fail(`was ended by ${signal}`);
      clearTimeout(timer);
      resolve({ code, out: Buffer.concat(parts.out).toString('utf8'), err: Buffer.concat(parts.err).toString('utf8') });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The last line of what a program wrote of a failure, or its exit code. */
export function toToolProblem([program = '']: readonly string[], { code, out, err }: ToolAnswer): string {
  const lines = `${out}\n${err}`.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? `${program} ended with the exit code ${code}`;
}
