import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentFiles } from '#service/files/silent.fixture.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from './modelFiles.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const folder = keepFolder();
await writeFile(join(folder, 'a=b.gguf'), 'GGUF');
await writeFile(join(folder, 'c.gguf'), 'GGUF');

async function withModelsFile(text: string): Promise<string> {
  const own = await mkdtemp(join(folder, 'data-'));
  await writeFile(join(own, 'models.json'), text);
  return own;
}

describe('parseModelFlag', () => {
  it('takes ID=FILE, relative to the folder, and splits at the first sign', async () => {
    expect(await parseModelFlag('org/model:1=a=b.gguf', folder)).toMatchObject({
      id: 'org/model:1',
      path: join(folder, 'a=b.gguf'),
      adapter: null,
      aliases: [],
      owned_by: 'local',
    });
    expect((await parseModelFlag(`m=${join(folder, 'c.gguf')}`, '/')).created).toBeGreaterThan(1_600_000_000);
  });

  it.each([
    ['model.gguf', /ID=FILE/],
    ['=c.gguf', /ID=FILE/],
    ['m=', /ID=FILE/],
    ['m=missing.gguf', /there is no file .*missing\.gguf/],
    ['m=.', /there is no file/],
    [' m=c.gguf', /without spaces/],
    ['m\n=c.gguf', /model id/],
  ])('refuses %j', async (value, message) => {
    const error = await parseModelFlag(value, folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFileError);
    expect(String(error)).toMatch(message);
  });
});

describe('readModelsFile', () => {
  it('is empty without the file', async () => {
    expect(await readModelsFile(folder)).toEqual([]);
  });

  it('reads entries relative to the data folder', async () => {
    const own = await withModelsFile('[{"id":"m","file":"../c.gguf","adapter":"../a=b.gguf","aliases":["x","y"]}]');
    expect(await readModelsFile(own)).toMatchObject([
      { id: 'm', path: join(folder, 'c.gguf'), adapter: join(folder, 'a=b.gguf'), aliases: ['x', 'y'] },
    ]);
  });

  it.each([
    ['{', /not valid JSON/],
    ['{}', /must hold a list/],
    ['[1]', /entry 1: each entry must be an object/],
    ['[{"file":"../c.gguf"}]', /entry 1: a model id/],
    ['[{"id":"m"}]', /\("m"\): "file"/],
    ['[{"id":"m","file":"gone.gguf"}]', /there is no file .*gone\.gguf/],
    ['[{"id":"m","file":"../c.gguf","adapter":"gone.gguf"}]', /there is no file .*gone\.gguf/],
    ['[{"id":"m","file":"../c.gguf","adapter":3}]', /"adapter"/],
    ['[{"id":"m","file":"../c.gguf","aliases":"x"}]', /"aliases" must be a list/],
    ['[{"id":"m","file":"../c.gguf","aliases":[""]}]', /aliases: a model id/],
    ['[{"id":"m","file":"../c.gguf","path":"x"}]', /"path" is not known/],
  ])('refuses %s', async (text, message) => {
    const error = await readModelsFile(await withModelsFile(text)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFileError);
    expect(String(error)).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  it("says when the file can't be read", async () => {
    const own = await mkdtemp(join(folder, 'data-'));
    await mkdir(join(own, 'models.json'));
    await expect(readModelsFile(own)).rejects.toThrow(/can't be read/);
  });
});

describe('joinModelFiles', () => {
  const file = (id: string, ...aliases: string[]) => ({
    id,
    aliases,
    path: `/${id}.gguf`,
    adapter: null,
    created: 0,
    owned_by: 'local',
  });

  it('joins lists and refuses a name for two models', () => {
    expect(joinModelFiles([file('a')], [file('b', 'c', 'c')]).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(() => joinModelFiles([file('a')], [file('a')])).toThrow(/"a" is used twice/);
    expect(() => joinModelFiles([file('a', 'x')], [file('x')])).toThrow(/"x" is used twice.*\/a\.gguf.*\/x\.gguf/);
  });
});

it('a model whose mount hangs keeps its place in the list: it may be there', async () => {
  expect(await parseModelFlag('m=/mnt/m.gguf', '/', silentFiles)).toMatchObject({ path: '/mnt/m.gguf', created: 0 });
  const own = await withModelsFile('[{"id": "n", "file": "/mnt/n.gguf", "adapter": "/mnt/a.gguf"}]');
  expect(await readModelsFile(own, silentFiles)).toMatchObject([{ id: 'n', adapter: '/mnt/a.gguf' }]);
});
