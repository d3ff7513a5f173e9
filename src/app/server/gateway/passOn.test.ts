import { describe, expect, it } from 'vitest';
import { toSafeType } from './passOn.ts';

describe('what is passed on', () => {
  it.each([
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream; charset=utf-8', 'Text/Event-Stream; charset=utf-8'],
    ['text/html', 'text/plain; charset=utf-8'],
    ['image/svg+xml', 'text/plain; charset=utf-8'],
    ['application/javascript', 'text/plain; charset=utf-8'],
    ['application/json+html', 'text/plain; charset=utf-8'],
    [undefined, 'text/plain; charset=utf-8'],
  ])('type %s as %s', (type, safe) => {
    expect(toSafeType(type)).toBe(safe);
  });
});
