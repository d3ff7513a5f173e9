import { expect, it } from 'vitest';
import { openTestEngine } from '#service/http/testEngine.fixture.ts';
import { toKeptModel } from './keptAnswer.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

async function ask(name: string): Promise<{ readonly kept: unknown[]; readonly events: number }> {
  const kept: unknown[] = [];
  const { signal } = new AbortController();
  const model = await openTestEngine().load(name, signal);
  if (!model) throw new Error('The engine has no such model.');
  const whole = toKeptModel(model, (asked, output) => kept.push([asked, output]));
  expect(whole).toMatchObject({ id: model.id, fingerprint: model.fingerprint });
  let events = 0;
  for await (const _event of whole.generate({ model: name, messages }, signal)) events += 1;
  return { kept, events };
}

it('a whole answer is handed on with what was asked, without reasoning, and its reader gets every event', async () => {
  expect(await ask('plain')).toEqual({ kept: [[messages, 'Grüße "you"\n']], events: 3 });
  expect(await ask('thinking')).toEqual({ kept: [[messages, 'yes']], events: 3 });
});

it.each(['tools', 'no-usage', 'never-ends'])('an answer that is no whole text is not kept: %s', async (name) => {
  expect((await ask(name)).kept).toEqual([]);
});
