// Judging on a machine that is so busy that the time for it is over before it begins.
import { expect, it, vi } from 'vitest';
import type { EngineEvent } from '#engine/engine.ts';
import { toAskedFor } from './enforceRequest.ts';

vi.mock('node:vm', () => ({
  runInNewContext: () => {
    throw new Error('Script execution timed out after 200ms');
  },
}));

async function* answer(text: string): AsyncGenerator<EngineEvent, void> {
  yield { type: 'text-delta', text };
  yield { type: 'message-end', finish_reason: 'stop', usage: null };
}

it.each(['Thank you.', '', '```json\n{"a":1}\n```'])('a busy machine still refuses %j for a schema', async (text) => {
  const response_format = { type: 'json_schema' as const, schema: { type: 'object' } };
  const read = async (): Promise<void> => {
    for await (const event of toAskedFor({ model: 'm', messages: [], response_format }, answer(text), 'http://e'))
      void event;
  };
  await expect(read()).rejects.toMatchObject({ status: 502, code: 'schema_not_followed' });
});
