import { expect, it } from 'vitest';
import { parseEdited } from './editedRow.ts';

const ROW = {
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ],
};

it('takes a row as it is written by hand', () => {
  expect(parseEdited(JSON.stringify(ROW, null, 2))).toEqual({ ok: true, value: ROW });
});

it.each([
  ['{\n  "messages": [\n}', 'line 3, column 1'],
  ['[]', 'Line 1, column 1'],
  [JSON.stringify({ messages: [{ role: 'nobody', content: '' }] }, null, 2), 'Line 4, column'],
])('says where %j is no row', (text, place) => {
  const read = parseEdited(text);
  expect(read.ok).toBe(false);
  expect(read.ok ? '' : read.reason).toContain(place);
});
