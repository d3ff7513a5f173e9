import { afterEach, expect, it } from 'vitest';
import { fakeFormat } from './fakeFormat.fixture.ts';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import type { FormatReader } from '#features/runs/server/reader.ts';
import { openRootReader, type RootReader } from './rootReader.ts';

let root: FakeRoot;
let reader: RootReader;
afterEach(async () => {
  await reader.close();
  root.close();
});

it('says why a folder shows no run', async () => {
  root = fakeRoot({
    'run/log.txt': '',
    'project/deep/log.txt': '',
    'weights/a.safetensors': '',
    'weights/b.gguf': '',
    'notes/notes.txt': '',
    'mixed/model.bin': '',
    'mixed/data.csv': '',
    'packages/node_modules/x.js': '',
    'node_modules/y.js': '',
  });
  root.makeFolder('empty/inner');
  reader = openRootReader(root.folder, { formats: [fakeFormat('log.txt'), fakeFormat('none.txt')] });
  await reader.look();
  const report = reader.report();
  expect(Object.fromEntries(report.unknown.map(({ path, reason }) => [path, reason]))).toEqual({
    empty: 'It is empty.',
    weights: expect.stringMatching(
      /^It holds only weights \([ab]\.\w+\): no file tells how they were trained\.$/,
    ) as string,
    notes: 'Its only file, notes.txt, is none that a trainer or tracker writes.',
    mixed: 'None of its 2 files is one that a known trainer or tracker writes, such as data.csv.',
    packages: 'It holds nothing that is looked at. packages/node_modules: It holds packages of Node.',
  });
  expect(report.skipped.map(({ path }) => path).sort()).toEqual(['node_modules', 'packages/node_modules']);
});

it('counts folders that a run in the root itself has, such as checkpoints, as folders with a sign', async () => {
  root = fakeRoot({ 'log.txt': '', 'checkpoint-5/log2.txt': '' });
  const base = fakeFormat('log.txt');
  const files = ['log.txt', 'checkpoint-5/log2.txt'].map((path) => ({ path, read: { mode: 'tail' as const } }));
  const format = { ...base, recognise: ({ path }: { path: string }) => (path === '' ? [{ key: '', files }] : []) };
  reader = openRootReader(root.folder, { formats: [format] });
  await reader.look();
  expect(reader.report().unknown).toEqual([]);
});

it('names a folder with an adapter whose files tell of no run, though a format reads them', async () => {
  root = fakeRoot({ 'saved/adapter_model.safetensors': '', 'saved/adapter_config.json': '{}', 'saved/README.md': 'x' });
  const format: FormatReader = {
    ...fakeFormat('README.md'),
    open: () => ({ take: () => undefined, evidence: () => [] }),
  };
  reader = openRootReader(root.folder, { formats: [format] });
  await reader.look();
  expect(reader.report().unknown).toEqual([
    {
      path: 'saved',
      reason:
        'It holds an adapter (adapter_model.safetensors), and no file that tells how it was trained, such as trainer_state.json.',
    },
  ]);
});
