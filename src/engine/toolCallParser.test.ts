import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineEvent } from './engine.ts';
import { JsonScanner } from './jsonScanner.ts';
import { ToolCallParser } from './toolCallParser.ts';

interface Result {
  readonly text: string;
  readonly calls: readonly { id: string; name: string; arguments: string }[];
  readonly callCount: number;
  readonly isBroken: boolean;
  readonly events: readonly EngineEvent[];
}

function run(pieces: readonly string[]): Result {
  let count = 0;
  const parser = new ToolCallParser({
    names: new Set(['get_order', 'cancel_order']),
    createId: () => {
      count += 1;
      return `call_${count}`;
    },
  });
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush()];
  const calls: { id: string; name: string; arguments: string }[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type !== 'tool-call-delta') continue;
    const call = (calls[event.index] ??= { id: event.id ?? '', name: event.name ?? '', arguments: '' });
    call.arguments += event.arguments ?? '';
  }
  return { text, calls, callCount: parser.callCount, isBroken: parser.isBroken, events };
}

const CALL = '<tool_call>{"name":"get_order","arguments":{"order_id":"A-1"}}</tool_call>';
const call = (id: number, name: string, args: string) => ({ id: `call_${id}`, name, arguments: args });

describe('ToolCallParser', () => {
  it.each<[string, string, string, Result['calls']]>([
    ['one call', CALL, '', [call(1, 'get_order', '{"order_id":"A-1"}')]],
    ['text before it', `Let me look.\n${CALL}`, 'Let me look.', [call(1, 'get_order', '{"order_id":"A-1"}')]],
    [
      'several calls',
      `${CALL}\n${CALL.replace('get_', 'cancel_')}\n`,
      '',
      [call(1, 'get_order', '{"order_id":"A-1"}'), call(2, 'cancel_order', '{"order_id":"A-1"}')],
    ],
    [
      'white space inside',
      '<tool_call>\n{ "name" : "get_order" , "arguments" : { "a" : [1, 2.5e3, {"b":null}] } }\n</tool_call>',
      '',
      [call(1, 'get_order', '{ "a" : [1, 2.5e3, {"b":null}] }')],
    ],
    [
      'arguments before the name',
      '<tool_call>{"arguments":{"a":1},"name":"get_order"}</tool_call>',
      '',
      [call(1, 'get_order', '{"a":1}')],
    ],
    ['no arguments', '<tool_call>{"name":"get_order"}</tool_call>', '', [call(1, 'get_order', '{}')]],
    [
      'arguments as a text that holds JSON',
      String.raw`<tool_call>{"name":"get_order","arguments":"{\"a\":1}"}</tool_call>`,
      '',
      [call(1, 'get_order', '{"a":1}')],
    ],
    [
      'an end mark that never comes',
      CALL.replace('</tool_call>', ''),
      '',
      [call(1, 'get_order', '{"order_id":"A-1"}')],
    ],
    [
      'marks inside of a text',
      CALL.replace('A-1', '</tool_call><tool_call>'),
      '',
      [call(1, 'get_order', '{"order_id":"</tool_call><tool_call>"}')],
    ],
    ['text after it', `${CALL} done`, ' done', [call(1, 'get_order', '{"order_id":"A-1"}')]],
  ])('reads %s', (_name, text, shown, calls) => {
    const result = run([text]);
    expect(result).toMatchObject({ text: shown, calls, callCount: calls.length, isBroken: false });
    for (const { arguments: args } of result.calls) expect(() => JSON.parse(args) as unknown).not.toThrow();
  });

  it.each([
    ['a tool that does not exist', '<tool_call>{"name":"drop_table","arguments":{}}</tool_call>'],
    ['no JSON', '<tool_call>get_order()</tool_call>'],
    ['a list', '<tool_call>[1]</tool_call>'],
    ['no name', '<tool_call>{"arguments":{"a":1}}</tool_call>'],
    ['arguments that are a number', '<tool_call>{"name":"get_order","arguments":3}</tool_call>'],
    ['an end before the name', '<tool_call>{"na'],
    ['half a mark', 'a < b <tool_c'],
    ['a mark alone', '<tool_call>'],
    ['no call at all', 'just <b>text</b>\n\n'],
  ])('leaves %s as text', (_name, text) => {
    expect(run([text])).toMatchObject({ text, calls: [], callCount: 0, isBroken: false });
    expect(run([...text])).toMatchObject({ text, calls: [], callCount: 0, isBroken: false });
  });

  it('finds a call behind one that is none', () => {
    expect(run([`<tool_call>oops ${CALL}`])).toMatchObject({ text: '<tool_call>oops', callCount: 1, isBroken: false });
  });

  it('marks arguments that are cut or no JSON as broken and never completes them', () => {
    const cut = run([CALL.slice(0, -15)]);
    expect(cut).toMatchObject({ callCount: 0, isBroken: true });
    expect(cut.calls[0]?.arguments).toBe('{"order_id":"A-1');
    const bad = run([...'<tool_call>{"name":"get_order","arguments":{"a":1,}}</tool_call>']);
    expect(bad).toMatchObject({ callCount: 0, isBroken: true });
  });

  it('streams arguments as they grow, id and name first', () => {
    const pieces = [
      '<tool',
      '_call>{"name":"get_',
      'order","argu',
      'ments":{"order',
      '_id":"A',
      '-1"}}',
      '</tool_call>',
    ];
    expect(run(pieces).events).toEqual([
      { type: 'tool-call-delta', index: 0, id: 'call_1', name: 'get_order' },
      { type: 'tool-call-delta', index: 0, arguments: '{"order' },
      { type: 'tool-call-delta', index: 0, arguments: '_id":"A' },
      { type: 'tool-call-delta', index: 0, arguments: '-1"}' },
    ]);
  });

  it('gives the same answer wherever it is cut', () => {
    const text = `Well.\n\n${CALL}\n<tool_call>{"name":"nope"}</tool_call> and <b>more</b> ${CALL}\n\n`;
    const whole = run([text]);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((one, two) => one - two), text.length];
        const { events: _events, ...result } = run(at.slice(1).map((end, index) => text.slice(at[index], end)));
        expect(result).toEqual({
          text: whole.text,
          calls: whole.calls,
          callCount: whole.callCount,
          isBroken: whole.isBroken,
        });
      }),
    );
  });
});

describe('JsonScanner', () => {
  const scan = (text: string): JsonScanner => {
    const scanner = new JsonScanner();
    for (let at = 0; at < text.length && scanner.state === 'open'; at += 1) scanner.push(text.charAt(at));
    return scanner;
  };

  it('accepts every object that JSON.stringify writes and nothing that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const scanner = scan(JSON.stringify(value, null, indent));
        expect(scanner.state).toBe('complete');
        expect(
          scanner.members.map(({ key, start, end }) => [
            key,
            JSON.parse(scanner.text.slice(start, end ?? 0)) as unknown,
          ]),
        ).toEqual(Object.entries(JSON.parse(JSON.stringify(value)) as object));
      }),
    );
    const chars = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '1', '-', 'e', '.', 't', ' ', '\\'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(chars, (tail) => {
        const scanner = scan(`{${tail}`);
        if (scanner.state === 'complete') expect(() => JSON.parse(scanner.text) as unknown).not.toThrow();
      }),
    );
  });

  it.each([
    '{"a":01}',
    '{"a":}',
    '{"a" 1}',
    '{,}',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":"\n"}',
    String.raw`{"a":"\x"}`,
    '{"a":nul}',
    '{"a":1 2}',
    '{]',
    '{"a":[}',
  ])('refuses %s', (text) => {
    expect(scan(text).state).toBe('invalid');
  });

  it('refuses nesting without end', () => {
    expect(scan(`{"a":${'['.repeat(200)}`).state).toBe('invalid');
  });
});
