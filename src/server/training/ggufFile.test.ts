import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestFolders, type TestFolders } from '#server/studio/folders.fixture.ts';
import { toSamplePath } from '#server/studio/sampleFiles.ts';
import { findGgufProblem, readContextLength } from './ggufFile.ts';

const MODEL = toSamplePath('support-base.Q8_0.gguf');
const ADAPTER = toSamplePath('support-triage-1.lora.F16.gguf');
let folders: TestFolders;
let folder: string;
beforeAll(async () => {
  folders = await openTestFolders();
  folder = await folders.empty();
});
afterAll(() => folders.remove());

async function write(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${Math.abs(bytes.length)}.gguf`);
  await writeFile(path, bytes);
  return path;
}

it('finds nothing wrong with a whole model or adapter', async () => {
  expect(await findGgufProblem(MODEL, 'gguf')).toBeNull();
  expect(await findGgufProblem(ADAPTER, 'adapter')).toBeNull();
});

it('tells one from the other', async () => {
  expect(await findGgufProblem(MODEL, 'adapter')).toBe('The file is a whole model, not an adapter.');
  expect(await findGgufProblem(ADAPTER, 'gguf')).toBe('The file is an adapter, not a whole model.');
});

it('notices a file that lacks its end, however little', async () => {
  const bytes = await readFile(MODEL);
  for (const length of [bytes.length - 64, bytes.length >> 1])
    expect(await findGgufProblem(await write(bytes.subarray(0, length)), 'gguf')).toMatch(/cut off: it has \d/);
  for (const length of [0, 3, 20, 1000])
    expect(await findGgufProblem(await write(bytes.subarray(0, length)), 'gguf')).toMatch(/GGUF/);
});

it('says that there is no file, or none that can be read', async () => {
  expect(await findGgufProblem(join(folder, 'none'), 'gguf')).toBe('There is no such file.');
  expect(await findGgufProblem(folder, 'gguf')).toMatch(/can't be read \(EISDIR\)/);
});

it('reads the length of the context', async () => {
  expect(await readContextLength(MODEL)).toBe(512);
  expect(await readContextLength(join(folder, 'none'))).toBeNull();
});
