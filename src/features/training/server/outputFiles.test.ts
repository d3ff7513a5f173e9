import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import {
  FileRefused,
  listOutput,
  openOutputFiles,
  toPathIn,
  type FileLimits,
  type OutputFiles,
} from './outputFiles.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const LIMITS: FileLimits = { bytes: 100, count: 3, allBytes: 150, spareBytes: 1 };
let folder: string;
beforeEach(async () => {
  folder = keepFolder();
});

const onBytes = (): void => undefined;
/** Sends so many bytes. `isSaid`: the sender says how many. Resolves to the code of the refusal, or `kept`. */
async function send(files: OutputFiles, name: string, length: number, isSaid = false): Promise<string> {
  const body = Readable.from([Buffer.alloc(Math.ceil(length / 2)), Buffer.alloc(Math.floor(length / 2))]);
  const refusal = await files.receive({ name, bytes: isSaid ? length : null, body, onBytes }).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal === null) return 'kept';
  if (!(refusal instanceof FileRefused)) throw refusal;
  return refusal.code;
}

it.each([true, false])('a file that is too large is refused, whether its sender says so: %s', async (isSaid) => {
  const files = openOutputFiles(folder, LIMITS);
  expect(await send(files, 'a', 101, isSaid)).toBe('file_too_large');
  expect(await send(files, 'a', 100, isSaid)).toBe('kept');
  expect(await send(files, 'b', 51, isSaid)).toBe('files_too_large');
  expect(await send(files, 'b', 50, isSaid)).toBe('kept');
  // It takes its own place.
  expect(await send(files, 'a', 100, isSaid)).toBe('kept');
  expect((await readdir(folder)).toSorted()).toEqual(['a', 'b']);
});

it('so many files are taken, also at the same time', async () => {
  const files = openOutputFiles(folder, LIMITS);
  const sent = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => send(files, name, 1)));
  expect(sent.filter((outcome) => outcome === 'kept')).toHaveLength(3);
  expect(sent.filter((outcome) => outcome === 'too_many_files')).toHaveLength(2);
  expect(await send(files, 'f', 1)).toBe('too_many_files');
});

it('files that arrive at the same time count together', async () => {
  const files = openOutputFiles(folder, { ...LIMITS, allBytes: 100 });
  const slow = new PassThrough();
  const kept = files.receive({ name: 'a', bytes: null, body: slow, onBytes });
  slow.write(Buffer.alloc(60));
  await expect.poll(() => send(files, 'b', 50)).toBe('files_too_large');
  slow.end();
  await kept;
  expect(await send(files, 'b', 40)).toBe('kept');
});

it('some of the disk stays free', async () => {
  const files = openOutputFiles(folder, { ...LIMITS, spareBytes: Number.MAX_SAFE_INTEGER });
  expect(await send(files, 'a', 1)).toBe('no_room');
  expect(await readdir(folder)).toEqual([]);
});

it('a refused sender can still be answered, and a cut one leaves nothing', async () => {
  const files = openOutputFiles(folder, LIMITS);
  const body = new PassThrough();
  const refused = files.receive({ name: 'a', bytes: null, body, onBytes });
  body.write(Buffer.alloc(200));
  await expect(refused).rejects.toThrow(/^A file of a run has at most/);
  expect(body.destroyed).toBe(false);
  const cut = new PassThrough();
  const broken = files.receive({ name: 'b', bytes: 90, body: cut, onBytes });
  cut.write(Buffer.alloc(50));
  await expect.poll(() => readdir(folder)).toHaveLength(1);
  cut.destroy(new Error('cut'));
  await expect(broken).rejects.toThrow('cut');
  const ended = files.receive({
    name: 'c',
    bytes: null,
    body: Readable.from([Buffer.alloc(1)]),
    onBytes() {
      throw new Error('The lease has ended.');
    },
  });
  await expect(ended).rejects.toThrow('The lease has ended.');
  expect(await readdir(folder)).toEqual([]);
});

it('a name leads to no other folder, and to no file that is arriving', async () => {
  expect(toPathIn(folder, 'a.bin')).toBe(join(folder, 'a.bin'));
  for (const name of ['../a', 'a/b', '..', '', '.a', 'x.part-1', 'a\0']) {
    expect(() => toPathIn(folder, name)).toThrow('is no name of a file');
    await expect(send(openOutputFiles(folder, LIMITS), name, 1)).rejects.toThrow('is no name of a file');
  }
  await writeFile(join(folder, 'a.part-1'), '');
  await writeFile(join(folder, 'a'), 'x');
  expect(await listOutput(folder)).toEqual(['a']);
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('x');
});
