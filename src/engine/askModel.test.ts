import { expect, it } from 'vitest';
import { openTestEngine } from '#service/http/testEngine.fixture.ts';
import { askModel } from './askModel.ts';
import type { EngineEvent } from './engine.ts';

const ask = (model: string) =>
  askModel(
    openTestEngine(),
    { model, messages: [{ role: 'user', content: 'x' }] },
    new AbortController().signal,
    'test',
  );

it('gives the text of the answer, without reasoning', async () => {
  expect([await ask('plain'), await ask('thinking')]).toEqual(['Grüße "you"', 'yes']);
});

it.each([
  ['gone', 'model_not_found'],
  ['no-usage', 'answer_cut'],
  ['tools', 'answer_empty'],
])('fails for the model %s with the code %s', async (model, code) => {
  await expect(ask(model)).rejects.toMatchObject({ code });
});

it('fails for an answer without an end', async () => {
  const generate = async function* (): AsyncGenerator<EngineEvent> {
    yield { type: 'text-delta', text: 'half' };
  };
  const engine = { load: async () => ({ id: 'm', fingerprint: null, generate }) };
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };
  const asked = askModel(engine, request, new AbortController().signal, 'test');
  await expect(asked).rejects.toMatchObject({ code: 'engine_stopped' });
});
