import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { examineStudio, type DoctorSettings } from './examineStudio.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

const examine = (settings: Partial<DoctorSettings> & Pick<DoctorSettings, 'dataDir' | 'mode'>) =>
  examineStudio(
    { host: '127.0.0.1', port: 0, warnings: [], ...settings },
    {
      version: '1.2.3',
      directory: '/',
      searchPath: '/bin',
      report: () => undefined,
      checkLlama: async () => ({ name: 'llama.cpp', state: 'ok', text: 'It loads.' }),
    },
  );

const LOCAL = {
  kind: 'local',
  hasSample: false,
  enginePaths: [],
  leaseSeconds: null,
  databaseUrl: null,
  engine: null,
  models: [],
  runs: [],
  trainer: null,
  threads: null,
  launchers: null,
  evaluators: { allowed: [], token: null },
  gpu: 'off',
} as const;
const namesOf = (lines: readonly string[]) => lines.slice(2, -2).map((line) => line.slice(9).split('  ')[0]);

it('looks at all that a local studio needs, and makes nothing', async () => {
  const dataDir = join(await folders.empty(), 'data');
  const { lines, exitCode } = await examine({ dataDir, mode: LOCAL });
  expect(lines[0]).toMatch(/^Model Studio 1\.2\.3 on /);
  expect(namesOf(lines)).toEqual(['Node', 'Port', 'Data folder', 'Disk', 'Database', 'Models', 'llama.cpp', 'Trainer']);
  expect([exitCode, lines.at(-1)]).toEqual([0, 'No problem was found.']);
  expect(existsSync(dataDir)).toBe(false);
});

it('counts problems, and says risks of the flags', async () => {
  const dataDir = await folders.empty();
  const runs = [dataDir, join(dataDir, 'missing')];
  const mode = { ...LOCAL, runs, models: ['mine=/no/such.gguf'], trainer: ['no-such-trainer'] };
  const { lines, exitCode } = await examine({ dataDir, mode, warnings: ['No TLS.'] });
  expect(lines.filter((line) => line.startsWith('problem')).map((line) => line.slice(9, 20).trim())).toEqual([
    'Models',
    'Trainer',
    'Runs',
  ]);
  expect(lines.find((line) => line.includes('No TLS.'))).toMatch(/^note +Flags/);
  expect(lines.join('\n')).toContain(`${dataDir}: what is found in it is listed below.`);
  expect([exitCode, lines.at(-1)]).toEqual([1, '3 problems were found.']);
});

it('of a gateway looks at the remote alone', async () => {
  const baseUrl = new URL('http://127.0.0.1:9');
  const { lines, exitCode } = await examine({
    dataDir: await folders.empty(),
    mode: { kind: 'gateway', baseUrl, apiKey: 'key-of-the-remote' },
  });
  expect(namesOf(lines)).toEqual(['Node', 'Port', 'Data folder', 'Disk', 'Remote studio']);
  expect(exitCode).toBe(1);
  expect(lines.join('\n')).not.toContain('key-of-the-remote');
});
