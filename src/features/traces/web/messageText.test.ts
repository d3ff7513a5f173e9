import { expect, it } from 'vitest';
import { toMessageText } from './messageText.ts';

it('a conversation has the role of each message before its text, and calls as JSON', () => {
  expect(
    toMessageText([
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ]),
  ).toBe('[system]\nBe brief.\n\n[assistant]\n[{"id":"a"}]\n\n[user]\n[{"type":"text","text":"Hi"}]');
});
