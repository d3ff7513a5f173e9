import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandLauncher } from './commandLauncher.ts';
import { LaunchRefused, type Launcher } from './launcher.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** One whose command is a line of a shell. */
const open = (script: string, answerMs = 20_000): Launcher =>
  openCommandLauncher({
    name: 'cluster',
    mostAtOnce: 1,
    command: ['sh', '-c', script, 'sh'],
    folder,
    gpus: 0,
    minutes: null,
    worker: ['model-studio'],
    trainer: null,
    answerMs,
  });
const JOB = { id: 'ms-1', job: null };
const ORDER = { ...JOB, experimentId: 'e', label: 'A run', studio: 'http://s', token: 'SECRET', claim: 'ONCE' };

it.each([
  ['garbage', `echo '<html>502 Bad Gateway</html>'`, /its answer to status is no JSON: "<html>502/],
  ['nothing in time', 'sleep 60', /did not answer within 0\.3 s/],
  ['another state', `echo '{"state": "dreaming"}'`, /its answer to status is wrong: /],
  ['a failure', 'echo no such queue >&2; exit 3', /^no such queue$/],
])('a command that answers %s is no answer, and is quoted', async (_how, script, message) => {
  await expect(open(script, script.startsWith('sleep') ? 300 : undefined).status(JOB)).rejects.toThrow(message);
});

it('a command that refuses a run is not asked again', async () => {
  const refused = open(`echo '{"refused": "there is no partition gpu"}'`).submit(ORDER);
  await expect(refused).rejects.toThrow('there is no partition gpu');
  await expect(refused).rejects.toBeInstanceOf(LaunchRefused);
});

it('a token is in no word that a command gets', async () => {
  const launcher = open(`cat >'${folder}/seen'; echo "$0 $@" >>'${folder}/seen'; echo '{"job": "4711"}'`);
  expect(await launcher.submit(ORDER)).toBe('4711');
  const seen = await readFile(join(folder, 'seen'), 'utf8');
  expect(seen).toMatch(/"id":"ms-1".*submit/s);
  expect(seen).not.toContain('SECRET');
  expect(await readFile(join(folder, 'ms-1', 'token'), 'utf8')).toBe('SECRET\n');
});

it('a command is told the folder of the job with each word', async () => {
  const launcher = open(`cat >>'${folder}/words'; echo '{"state": "lost", "text": "", "next": 0}'`);
  await launcher.status(JOB);
  await launcher.stop(JOB);
  await launcher.log(JOB, 0, null);
  const words = (await readFile(join(folder, 'words'), 'utf8')).trim().split('\n');
  const sent = { ...JOB, folder: join(folder, 'ms-1') };
  expect(words.map((line) => JSON.parse(line) as object)).toEqual([sent, sent, { ...sent, from: 0 }]);
});
