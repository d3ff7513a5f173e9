import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import { findGgufProblem, oncePerFile, readContextLength } from './ggufFile.ts';
import { readGgufHeader } from './ggufHeader.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const MODEL = samplePath('support-base.Q8_0.gguf');
const ADAPTER = samplePath('support-triage-1.lora.F16.gguf');
const folder = keepFolder();

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

describe('a header that can not be', () => {
  /** The model with another number in its header: `name` is followed by the number of its type and 32 bits. */
  async function change(name: string, value: number, isFloat = false): Promise<string> {
    const bytes = await readFile(MODEL);
    const at = bytes.indexOf(name) + name.length + 4;
    if (isFloat) bytes.writeFloatLE(value, at);
    else bytes.writeUInt32LE(value, at);
    return write(bytes);
  }

  it('has no context', async () =>
    expect(await findGgufProblem(await change('llama.context_length', 0), 'gguf')).toBe(
      'Its header says that llama.context_length is 0.',
    ));

  it('has a term against division by zero that is none', async () =>
    expect(await findGgufProblem(await change('llama.attention.layer_norm_rms_epsilon', 2, true), 'gguf')).toBe(
      'Its header says that llama.attention.layer_norm_rms_epsilon is 2.',
    ));

  it('counts rows that are no multiple of a block', async () => {
    const bytes = await readFile(MODEL);
    const name = 'blk.0.attn_q.weight';
    // After the name: the number of dimensions, then the first of them.
    bytes.writeBigUInt64LE(120n, bytes.indexOf(name) + name.length + 4);
    expect(await findGgufProblem(await write(bytes), 'gguf')).toBe(
      'The rows of the tensor blk.0.attn_q.weight have 120 values, which is no multiple of 32.',
    );
  });

  it('names a tensor twice', async () => {
    const bytes = await readFile(MODEL);
    bytes.write('blk.0.attn_k.weight', bytes.indexOf('blk.0.attn_q.weight'));
    expect(await findGgufProblem(await write(bytes), 'gguf')).toMatch(/attn_k\.weight comes twice/);
  });
});

it('says that there is no file, or none that can be read', async () => {
  expect(await findGgufProblem(join(folder, 'none'), 'gguf')).toBe('There is no such file.');
  expect(await findGgufProblem(folder, 'gguf')).toMatch(/can't be read \(EISDIR\)/);
});

it('reads the length of the context', async () => {
  expect(await readContextLength(MODEL)).toBe(512);
  expect(await readContextLength(join(folder, 'none'))).toBeNull();
});

it('reads a file again only after it has changed', async () => {
  const path = join(folder, 'changing');
  let reads = 0;
  const read = oncePerFile(async (file) => {
    reads += 1;
    return readFile(file, 'utf8');
  });
  await writeFile(path, 'one');
  expect([await read(path), await read(path), reads]).toEqual(['one', 'one', 1]);
  await writeFile(path, 'other');
  expect([await read(path), reads]).toEqual(['other', 2]);
  await expect(read(join(folder, 'none'))).rejects.toThrow('ENOENT');
  await expect(read(join(folder, 'none'))).rejects.toThrow('ENOENT');
  expect(reads).toBe(4);
});

it('reads a header without the items of its lists', async () => {
  const bytes = new Uint8Array(await readFile(MODEL));
  const [whole, short] = [readGgufHeader(bytes), readGgufHeader(bytes, false)];
  expect([...short.values.keys()]).toEqual([...whole.values.keys()]);
  expect([short.tensors, short.dataStart]).toEqual([whole.tensors, whole.dataStart]);
  for (const [name, value] of whole.values) {
    const found = short.values.get(name);
    if (Array.isArray(value)) expect([found, Object.keys(found ?? {})]).toMatchObject([{ length: value.length }, []]);
    else expect(found).toEqual(value);
  }
});
