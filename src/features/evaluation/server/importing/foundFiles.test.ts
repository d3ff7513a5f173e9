import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import {
  evaluationImportSchema,
  foundEvaluationListSchema,
} from '#features/evaluation/shared/contract/evaluationImport.ts';
import { keepTestRoom, PROJECT } from '#features/evaluation/server/testRoom.fixture.ts';
import { openFolder } from '#features/runs/server/disk/folderFiles.ts';
import { UNKNOWN_ID, type Answer } from '#service/http/testService.fixture.ts';
import { readFound } from './foundFiles.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const PATH = '/api/v1/studio/evaluation-files';
const ROOT_ID = '0d5f4c5e-6a2f-4f6e-9d0a-0d2b4f1c7a11';
const DATE = '2026-11-20T10-11-12.345678';
const made = (name: string): string => join(import.meta.dirname, '../../shared/imports/made', name);

const folder = keepFolder();
const root = join(folder, 'runs');
const put = (from: string, to: string): void => cpSync(made(from), join(root, to));
put('promptfooResults.json', 'a/output.json');
put('small.eval', 'logs/2026-11-20T10-00-00+00-00_small_x.eval');
put('samples_tiny_gen.jsonl', `lm/samples_tiny_gen_${DATE}.jsonl`);
put('lmEvalResults.json', `lm/results_${DATE}.json`);
put('lmEvalResults.json', `alone/results_${DATE}.json`);
put('small.eval', 'node_modules/inside.eval');
writeFileSync(join(root, 'logs/damaged.eval'), readFileSync(made('small.eval')).subarray(0, 9_000));
writeFileSync(join(root, 'a/eval_results.json'), '{"eval_loss": 1}');
writeFileSync(join(root, 'a/config.json'), '{}');
mkdirSync(join(folder, 'outside'));
cpSync(made('small.eval'), join(folder, 'outside/secret.eval'));
symlinkSync(join(folder, 'outside/secret.eval'), join(root, 'linked.eval'));
symlinkSync(join(folder, 'outside'), join(root, 'folder'));
const there = { id: ROOT_ID, path: root, state: 'watching' } as RunRoot;
const away = { ...there, id: UNKNOWN_ID, path: join(folder, 'outside'), state: 'missing' } as const;
const room = await keepTestRoom({}, { roots: [there, away] });

const send = (path: string, more: object = {}): Promise<Answer> =>
  room.send('POST', PATH, { project_id: PROJECT, root_id: ROOT_ID, path, ...more });

it('files of evaluations below folders of runs are listed with what they hold, damaged ones with a reason', async () => {
  const { files, left_out } = foundEvaluationListSchema.parse((await room.send('GET', PATH)).json());
  const told = files.map(({ path, tool, models, rows, answers, problem }) => ({
    path,
    says: [tool, ...models, rows, answers, problem],
  }));
  expect([left_out, told.toSorted((a, b) => (a.path < b.path ? -1 : 1))]).toEqual([
    0,
    [
      {
        path: 'a/output.json',
        says: ['promptfoo', expect.any(String), 6, expect.any(Number), null],
      },
      {
        path: `alone/results_${DATE}.json`,
        says: ['lm-eval', expect.any(String), 0, 0, expect.stringMatching(/no rows/)],
      },
      {
        path: `lm/samples_tiny_gen_${DATE}.jsonl`,
        says: ['lm-eval', 'i82qcls7', 3, 6, null],
      },
      { path: 'logs/2026-11-20T10-00-00+00-00_small_x.eval', says: ['inspect', expect.any(String), 3, 6, null] },
      { path: 'logs/damaged.eval', says: [null, null, null, expect.stringMatching(/damaged/)] },
    ],
  ]);
  expect(files.every((file) => file.root_id === ROOT_ID && file.root === root)).toBe(true);
});

it('one of them is imported with the model that lm-eval names beside it, and stays as it is', async () => {
  const path = `lm/samples_tiny_gen_${DATE}.jsonl`;
  const before = statSync(join(root, path));
  const sent = await send(path, { name: 'Tiny' });
  expect([sent.status, sent.text]).toEqual([201, sent.text]);
  const { evaluation, run, tool } = evaluationImportSchema.parse(sent.json());
  expect([evaluation.name, tool, evaluation.row_count]).toEqual(['Tiny', 'lm-eval', 3]);
  expect((await room.waitFor(run?.id ?? '', 'completed')).models.map((each) => each.model)).toEqual(['i82qcls7']);
  expect(statSync(join(root, path))).toMatchObject({ mtimeMs: before.mtimeMs, size: before.size });
});

it.each([
  ['a path above the folder', '../outside/secret.eval', /not a path below the folder/],
  ['an absolute path', '/etc/x.eval', /not a path below the folder/],
  ['a file in a linked folder', 'folder/secret.eval', /leads out of the folder/],
  ['a file that left', 'a/left.eval', /no longer there/],
  ['a damaged file', 'logs/damaged.eval', /damaged/],
])('%s is not read', async (_, path, message) => {
  await expect(readFound(await openFolder(root), path)).rejects.toThrow(message);
});

it.each([
  ['a link out of the folder', 'linked.eval', {}, 400, /leads out of the folder/],
  ['a name of no evaluation', 'a/config.json', {}, 400, /Choose it as a file/],
  ['an unknown folder', 'a/output.json', { root_id: PROJECT }, 404, /no folder/],
])('an import of %s is refused', async (_, path, more, status, message) => {
  const sent = await send(path, more);
  expect([sent.status, sent.text]).toEqual([status, expect.stringMatching(message)]);
});
