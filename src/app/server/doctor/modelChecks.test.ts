import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { checkEngine, checkLlama, checkModels, checkRemote } from './modelChecks.ts';
import { listen } from '#service/files/keep.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const SAMPLE = toSamplePath('support-base.Q8_0.gguf');
const KEY = 'key-of-the-server';

const folders = await keepFolders();
let status = 200;
let body = '{"data":[{"id":"a"}]}';

const origin = await listen(
  createServer((request, answer) => {
    const isSigned = request.headers.authorization === `Bearer ${KEY}`;
    answer.writeHead(isSigned ? status : 401, { 'Content-Type': 'application/json', Location: '/elsewhere' });
    answer.end(body);
  }),
);

describe('models of the operator', () => {
  it('are GGUF files', async () => {
    const folder = await folders.empty();
    expect(await checkModels([], folder, folder)).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('--model'),
    });
    expect(await checkModels([`mine=${SAMPLE}`], folder, folder)).toMatchObject({
      state: 'ok',
      text: '1 model of your own: mine.',
    });
  });

  it('are missing, no GGUF, or written wrongly', async () => {
    const folder = await folders.empty();
    expect(await checkModels(['mine=no.gguf'], folder, folder)).toMatchObject({ state: 'problem' });
    writeFileSync(join(folder, 'text.gguf'), 'GG');
    expect(await checkModels(['mine=text.gguf'], folder, folder)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('text.gguf: This is no GGUF file'),
    });
    writeFileSync(join(folder, 'models.json'), '[{"id":"x","file":"text.gguf","adaptor":"y"}]');
    expect(await checkModels([], folder, folder)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('"adaptor" is not known'),
    });
  });
});

describe('llama.cpp', () => {
  it('loads a model', async () => expect(await checkLlama('off')).toMatchObject({ state: 'ok' }));

  it("says what it can't load", async () => {
    const file = join(await folders.empty(), 'none.gguf');
    expect(await checkLlama('off', file)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('--engine'),
    });
  });
});

describe('an engine', () => {
  const check = (apiKey: string | null) => checkEngine({ baseUrl: `${origin}/v1`, apiKey });

  it('lists its models', async () => {
    expect(await check(KEY)).toMatchObject({ state: 'ok', text: `${origin} answers and lists 1 model.` });
    body = '{"data":[]}';
    expect(await check(KEY)).toMatchObject({ state: 'note' });
  });

  it('refuses the key, or is not there', async () => {
    const refused = await check('wrong-key-of-mine');
    expect(refused).toMatchObject({ state: 'problem', text: expect.stringContaining('STUDIO_ENGINE_KEY') });
    expect(refused.text).not.toContain('wrong-key-of-mine');
    expect(await checkEngine({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: null })).toMatchObject({ state: 'problem' });
  });
});

describe('a remote studio', () => {
  const check = (key = KEY) => checkRemote(new URL(origin), key, '1');

  it.each([
    [200, 'ok'],
    [404, 'note'],
    [500, 'problem'],
    [302, 'problem'],
  ])('that answers %d: %s', async (answered, state) => {
    status = answered;
    expect(await check()).toMatchObject({ state });
  });

  it('that refuses the key, or is not there', async () => {
    expect(await check('wrong')).toMatchObject({ state: 'problem', text: expect.stringContaining('STUDIO_API_KEY') });
    expect(await checkRemote(new URL('http://127.0.0.1:9'), KEY, '1')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('not reachable') as string,
    });
  });
});
