import { describe, expect, it } from 'vitest';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { toTaught } from './taughtText.ts';

const asked: RowMessage = { role: 'user', content: 'A table, please.' };
const says = (content: string | null, ...calls: readonly string[]): RowMessage => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 && {
    tool_calls: calls.map((text, at) => ({
      id: `call_${at}`,
      type: 'function' as const,
      function: { name: 'book', arguments: text },
    })),
  }),
});
const rowOf = (...messages: readonly RowMessage[]): ChatRow => ({ messages: [asked, ...messages] });
const keyOf = (...messages: readonly RowMessage[]): string => toTaught(rowOf(...messages)).key;
const LONG =
  'Please look at the second page of your invoice, where each part of the sum has a line of its own. '.repeat(3);

describe('toTaught', () => {
  it('is the same whatever case and white space an answer has', () => {
    expect(keyOf(says(' Yes,\n please. '))).toBe(keyOf(says('yes, PLEASE.')));
    expect(keyOf(says('yes'))).not.toBe(keyOf(says('no')));
  });

  it('counts calls of tools, and all answers of a chat', () => {
    expect(keyOf(says(null, '{"people":5}'))).not.toBe(keyOf(says(null, '{"people":7}')));
    expect(keyOf(says(null, '{"people":5}'))).toBe(keyOf(says('', '{"people":5}')));
    expect(keyOf(says('One.'), asked, says('Two.'))).not.toBe(keyOf(says('Three.'), asked, says('Two.')));
  });

  it('looks over what others say', () => {
    expect(keyOf(says('Yes.'))).toBe(toTaught({ messages: [{ ...asked, content: 'Another.' }, says('Yes.')] }).key);
  });

  it('of a long free text only the numbers have to be equal, and it has a signature', () => {
    const taught = toTaught(rowOf(says(`${LONG} It is 12.50.`)));
    expect(taught.signature).not.toBeNull();
    expect(taught.key).toBe(keyOf(says(`${LONG} Altogether it costs 12.50.`)));
    expect(taught.key).not.toBe(keyOf(says(`${LONG} It is 13.50.`)));
  });

  it.each([
    ['JSON', (text: string) => says(JSON.stringify({ text }))],
    ['code', (text: string) => says(`\`\`\`\n${text}`)],
    ['a call in tags', (text: string) => says(`<tool_call>${text}`)],
    ['a call', (text: string) => says(LONG, text)],
  ])('a long answer for programs has to be equal: %s', (_, answer) => {
    expect(toTaught(rowOf(answer(LONG))).signature).toBeNull();
    expect(keyOf(answer(LONG))).not.toBe(keyOf(answer(LONG.replace('second', 'third'))));
  });

  it('a row without an answer teaches nothing', () => expect(keyOf()).toBe(toTaught({ messages: [] }).key));
});
