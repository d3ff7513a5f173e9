import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findAddressProblem } from './openLaunchers.ts';
import { readLaunchers } from './launcherFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'launcher-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'launchers.json');

function read(written: unknown) {
  writeFileSync(file, typeof written === 'string' ? written : JSON.stringify(written));
  return readLaunchers(file, true, folder);
}

const SLURM = { name: 'gpu', kind: 'slurm', folder: '/shared/studio' };

it('a file names launchers, and what each asks for is said', () => {
  const [slurm, command] = read([
    { ...SLURM, partition: 'a100', gpus: 2, minutes: 90, ssh: 'login', most_at_once: 8 },
    { name: 'cloud', kind: 'command', command: 'sky.sh --fast', folder: 'jobs' },
  ]);
  expect([slurm?.about, slurm?.mostAtOnce]).toEqual(['partition a100, 2 GPUs, 90 min, through login', 8]);
  expect([command?.kind, command?.about, command?.mostAtOnce]).toEqual(['command', 'sky.sh', 4]);
});

it('a file that is not there is no launchers, unless it was named', () => {
  expect(readLaunchers(join(folder, 'none.json'), false, folder)).toEqual([]);
  expect(() => readLaunchers(join(folder, 'none.json'), true, folder)).toThrow(/can't be read \(ENOENT\).*--launchers/);
});

it('a studio at a loopback address is none for other machines, unless that is the end of a tunnel', () => {
  const ray = { name: 'ray', kind: 'ray', address: 'http://head:8265' };
  const list = read([
    { ...SLURM, ssh: 'login' },
    ray,
    { ...ray, name: 'here', address: 'http://localhost:8265' },
    { ...ray, name: 'tunnel', studio: 'http://127.0.0.1:4600/' },
  ]);
  const refusedAt = (studio: string) =>
    list.filter((launcher) => findAddressProblem(launcher, studio) !== null).map(({ name }) => name);
  expect(refusedAt('http://localhost:4600')).toEqual(['gpu', 'ray']);
  expect(refusedAt('https://studio.example.com')).toEqual([]);
  expect(list.at(-1)?.studio).toBe('http://127.0.0.1:4600');
});

it.each([
  ['{"', /launchers\.json can't be used: it is no JSON/],
  [{}, /The file must be a list/],
  [[{ ...SLURM, kind: 'lsf' }], /\[0\]\.kind must be "command" or "slurm" or "ray" or "kubernetes"/],
  [[{ ...SLURM, queue: 'a' }], /\[0\] must not have queue/],
  [[{ ...SLURM, folder: 'here' }], /\[0\]\.folder must be an absolute path that the nodes have, too/],
  [[{ ...SLURM, gpus: -1 }], /\[0\]\.gpus must be at least 0/],
  [[{ ...SLURM, partition: 'a b' }], /\[0\]\.partition must be a name without spaces/],
  [[{ ...SLURM, ssh: '-oProxyCommand=x' }], /\[0\]\.ssh must be a host/],
  [[{ ...SLURM, worker: "node 'a" }], /\[0\]\.worker must be a command/],
  [[{ kind: 'command', name: 'c', folder: 'f' }], /\[0\]\.command is required/],
  [[{ ...SLURM, studio: 'head:4600' }], /\[0\]\.studio must be an address such as/],
  [[{ kind: 'kubernetes', name: 'k', image: 'a', queue: 'A' }], /\[0\]\.queue must have lower-case letters/],
  [[{ kind: 'kubernetes', name: 'k' }], /\[0\]\.image is required/],
  [[{ kind: 'kubernetes', name: 'k', image: 'a', kubeconfig: 'none' }], /of the launcher k, .*none can't be read/],
  [[SLURM, SLURM], /two launchers have the name gpu/],
])('%j is refused with the field', (written, message) => {
  expect(() => read(written)).toThrow(message);
});
