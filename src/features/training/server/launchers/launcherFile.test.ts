import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
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

it.each([
  ['{"', /launchers\.json can't be used: it is no JSON/],
  [{}, /The file must be a list/],
  [[{ ...SLURM, kind: 'lsf' }], /\[0\]\.kind must be "command" or "slurm" or "ray"/],
  [[{ ...SLURM, queue: 'a' }], /\[0\] must not have queue/],
  [[{ ...SLURM, folder: 'here' }], /\[0\]\.folder must be an absolute path that the nodes have, too/],
  [[{ ...SLURM, gpus: -1 }], /\[0\]\.gpus must be at least 0/],
  [[{ ...SLURM, partition: 'a b' }], /\[0\]\.partition must be a name without spaces/],
  [[{ ...SLURM, ssh: '-oProxyCommand=x' }], /\[0\]\.ssh must be a host/],
  [[{ ...SLURM, worker: "node 'a" }], /\[0\]\.worker must be a command/],
  [[{ kind: 'command', name: 'c', folder: 'f' }], /\[0\]\.command is required/],
  [[SLURM, SLURM], /two launchers have the name gpu/],
])('%j is refused with the field', (written, message) => {
  expect(() => read(written)).toThrow(message);
});
