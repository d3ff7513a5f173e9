import { describe, expect, it } from 'vitest';
import {
  dropUnsaved,
  findUnsaved,
  NOTHING_UNSAVED,
  putInsert,
  putUnsaved,
  readUnsaved,
  type Unsaved,
} from './unsaved.ts';

const edit = (turnId: string, content: string): Unsaved => ({ kind: 'edit', turnId, text: { content } });
const insert = (turnId: string, content: string): Unsaved => ({
  kind: 'insert',
  turnId,
  side: 'below',
  role: 'user',
  text: { content },
});
const result = (answerId: string, callId: string, content: string): Unsaved => ({
  kind: 'result',
  answerId,
  callId,
  text: { content },
});

describe('the list', () => {
  it('has one text at a place, and tells places apart', () => {
    const list = [
      edit('a', '1'),
      insert('a', '2'),
      result('a', 'x', '3'),
      result('b', 'x', '4'),
      edit('a', '5'),
    ].reduce(putUnsaved, NOTHING_UNSAVED);
    expect(list).toHaveLength(4);
    expect(findUnsaved(list, { kind: 'edit', turnId: 'a' })?.text.content).toBe('5');
    expect(findUnsaved(list, { kind: 'result', answerId: 'b', callId: 'x' })?.text.content).toBe('4');
    expect(findUnsaved(list, { kind: 'edit', turnId: 'constructor' })).toBeNull();
  });

  it('stays the same object where there is nothing to drop', () => {
    const list = [edit('a', '1'), insert('a', '2')];
    expect(dropUnsaved(list, { kind: 'edit', turnId: 'b' })).toBe(list);
    expect(dropUnsaved(list, { kind: 'edit', turnId: 'a' })).toEqual([insert('a', '2')]);
  });
});

describe('a new message beside a turn', () => {
  it('begins empty, and asked for once more keeps what is written and who says it', () => {
    const begun = putInsert(NOTHING_UNSAVED, 'a', 'above', 'assistant');
    expect(begun).toEqual([{ kind: 'insert', turnId: 'a', side: 'above', role: 'assistant', text: { content: '' } }]);
    const written = putUnsaved(begun, {
      kind: 'insert',
      turnId: 'a',
      side: 'above',
      role: 'tool',
      text: { content: 'half', name: 'get_order' },
    });
    expect(putInsert(written, 'a', 'below', 'user')).toEqual([
      { kind: 'insert', turnId: 'a', side: 'below', role: 'tool', text: { content: 'half', name: 'get_order' } },
    ]);
    expect(putInsert(written, 'b', 'below', 'user')).toHaveLength(2);
  });
});

describe('reading', () => {
  const whole: readonly Unsaved[] = [
    { kind: 'edit', turnId: 't', text: { content: '', name: 'n', tool_call_id: 'c' } },
    { kind: 'insert', turnId: 't', side: 'above', role: 'tool', text: { content: 'x' } },
    result('a', '', 'null'),
  ];

  it('gives what was stored', () => expect(readUnsaved(structuredClone(whole))).toEqual(whole));

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'edit'],
    ['an object', { 0: edit('a', 'x') }],
    ['a number', [7]],
    ['a list in it', [[edit('a', 'x')]]],
    ['no text', [{ kind: 'edit', turnId: 'a' }]],
    ['a text that is none', [{ kind: 'edit', turnId: 'a', text: 'x' }]],
    ['content that is no text', [{ ...edit('a', ''), text: { content: 5 } }]],
    ['an id that is no text', [{ ...edit('a', 'x'), turnId: {} }]],
    ['a kind that is unknown', [{ ...edit('a', 'x'), kind: 'constructor' }]],
    ['a side that is none', [{ ...insert('a', 'x'), side: 'left' }]],
    ['a role that is none', [{ ...insert('a', 'x'), role: 'system' }]],
    ['a result without its call', [{ ...result('a', 'x', 'y'), callId: null }]],
  ])('leaves out %s, and keeps the rest', (_what, value) => {
    expect(readUnsaved(value)).toEqual([]);
    if (Array.isArray(value)) expect(readUnsaved([...whole, ...(value as readonly unknown[])])).toEqual(whole);
  });

  it('takes from a text what is text, and nothing that is not asked for', () => {
    expect(
      readUnsaved([
        { kind: 'edit', turnId: 't', extra: 1, text: { content: 'x', name: 5, tool_call_id: 'c', more: 'y' } },
      ]),
    ).toEqual([{ kind: 'edit', turnId: 't', text: { content: 'x', tool_call_id: 'c' } }]);
  });
});
