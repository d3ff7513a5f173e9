// Starts the studio as a process of its own and reads its ready line.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fillWithDatabase } from '#service/database/folders.fixture.ts';
import { findMade } from '#service/database/made.fixture.ts';
import { findBuiltService } from './builtService.ts';
import { SHORT_LIVED } from './nodeFlags.ts';

const ROOT = resolve(import.meta.dirname, '..');

export interface StartedStudio {
  /** A link that signs in: the printed one, with the token added where the studio did not print it. */
  readonly link: string;
  readonly origin: string;
  readonly token: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Everything that the process wrote so far. */
  readonly output: () => string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Kept after stop when given. Else a new folder that goes with the studio, with empty tables: making a
   * database takes longer than the rest of the start.
   */
  readonly dataDir?: string;
  readonly seconds?: number;
  readonly form?: Form;
}

export function makeFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `model-studio-${name}-`));
}

export interface SpawnedStudio {
  readonly child: ChildProcess;
  /** Everything that the process wrote so far. */
  readonly output: () => string;
}

function spawnProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
): SpawnedStudio {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  child.stdout.on('data', (data: Buffer) => parts.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => parts.push(data.toString()));
  return { child, output: () => parts.join('') };
}

/**
 * What is started: the service as plain JavaScript, whose start takes a third of the time; or the sources for a
 * benchmark: a start that takes longer and is quicker then.
 */
type Form = 'built' | 'optimised';

async function toCommand(form: Form): Promise<readonly string[]> {
  const flags = form === 'optimised' ? [] : SHORT_LIVED;
  if (form === 'built') return [...flags, join(await findBuiltService(), 'main.mjs')];
  return [...flags, '--import', 'tsx', 'src/app/server/launch/main.ts'];
}

/** Spawns the service itself, without what `npm start` puts before it; does not wait for it. */
export async function spawnStudio(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  form: Form = 'built',
): Promise<SpawnedStudio> {
  return spawnProcess(process.execPath, [...(await toCommand(form)), ...args], env);
}

/** `npm start` as a person or a container runs it; does not wait for it. The process is npm's. */
export async function spawnNpmStart(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  form: 'built' | 'checkout' = 'built',
): Promise<SpawnedStudio> {
  return spawnProcess('npm', ['start', '--', ...args], env, form === 'built' ? await findBuiltService() : ROOT);
}

/** The printed link, as soon as it stands there. */
export async function waitForLink(child: ChildProcess, output: () => string, seconds: number): Promise<string> {
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  try {
    for (;;) {
      const link = /^Model Studio {2}(http\S+)\s/m.exec(output())?.[1];
      if (link) return link;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The studio did not start:\n${output()}`);
      await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a studio on a free port with its own data folder. Throws with its output when it does not get ready. */
export async function startStudio(options: StartOptions = {}): Promise<StartedStudio> {
  const dataDir = options.dataDir ?? makeFolder('data');
  const needsDatabase = !options.dataDir && !options.args?.includes('--base-url');
  if (needsDatabase) await fillWithDatabase(dataDir, 'tables');
  const args = ['--port', '0', '--data', dataDir, ...(options.args ?? [])];
  const { child, output } = await spawnStudio(args, options.env, options.form);
  const url = new URL(await waitForLink(child, output, options.seconds ?? 60));
  // A token that was given is not printed.
  const token = url.searchParams.get('token') ?? options.env?.['STUDIO_TOKEN'] ?? '';
  url.searchParams.set('token', token);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    return child.exitCode;
  };
  return { link: url.href, origin: url.origin, token, dataDir, process: child, output, stop };
}

/**
 * For tests that start the studio as soon as they begin: each of them would build the dashboard, in 12 s of processor time.
 * A gateway builds it, and needs neither database nor model. Nobody asks the address.
 */
export async function buildDashboard(): Promise<void> {
  await findMade('dashboard', ['src', 'vite.config.ts'], async () => {
    const gateway = { args: ['--base-url', 'http://127.0.0.1:9'], env: { STUDIO_API_KEY: 'none' } };
    const studio = await startStudio({ ...gateway, seconds: 120 });
    await studio.stop();
  });
}
