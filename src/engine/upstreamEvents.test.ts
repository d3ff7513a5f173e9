import { describe, expect, it } from 'vitest';
import { UpstreamEvents } from './upstreamEvents';

const delta = (index: number, name: string, args: string) => ({ type: 'tool-call-delta' as const, index, id: `call_${index}`, name, arguments: args });
const END = { type: 'message-end' as const, finish_reason: 'tool_calls' };
const open = (): UpstreamEvents => new UpstreamEvents('http://engine', (text) => text);

describe('a call whose name is late', () => {
  it('is given out with its arguments once the name comes', () => {
    const events = open();
    expect(events.push(delta(0, '', '{"a"'))).toEqual([]);
    expect(events.push(delta(0, 'f', ':1}'))).toEqual([
      { type: 'tool-call-delta', index: 0, id: 'call_0', name: 'f' },
      { type: 'tool-call-delta', index: 0, arguments: '{"a":1}' },
    ]);
    expect(events.push(END)).toEqual([{ type: 'message-end', finish_reason: 'tool_calls', usage: null }]);
  });

  it.each(['{}', ''])('fails the answer when it never comes (arguments %j)', (args) => {
    const events = open();
    events.push(delta(0, 'f', '{}'));
    events.push(delta(1, '', args));
    expect(() => events.push(END)).toThrow(expect.objectContaining({ name: 'EngineError', status: 502, code: 'upstream_unreadable' }) as Error);
    expect(events.isEnded).toBe(false);
  });
});
