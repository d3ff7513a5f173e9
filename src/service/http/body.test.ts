// Bounds of a body on a stream that a test feeds byte by byte; over HTTP they are in api.test.ts.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkContentType, parseBody, readBytes } from './body.ts';
import { openMemoryBudget } from './memoryBudget.ts';

function incoming(headers: Record<string, string> = {}): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  return message;
}

const problem = (status: number, code: string): Error => expect.objectContaining({ status, code }) as Error;

describe('checkContentType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    ' application/json ; x=y',
  ])('takes "%s"', (type) => {
    expect(() => checkContentType(type)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/x-json',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'text/plain; application/json',
  ])('refuses "%s"', (type) => {
    expect(() => checkContentType(type)).toThrow(problem(415, 'unsupported_media_type'));
  });
});

describe('readBytes', () => {
  it('joins what comes in pieces', async () => {
    const message = incoming();
    const bytes = readBytes(message, 10);
    message.push(Buffer.from('ab'));
    message.push(Buffer.from('cd'));
    message.push(null);
    expect((await bytes).toString()).toBe('abcd');
  });

  it('takes exactly the limit', async () => {
    const message = incoming({ 'content-length': '4' });
    const bytes = readBytes(message, 4);
    message.push(Buffer.from('abcd'));
    message.push(null);
    expect(await bytes).toHaveLength(4);
  });

  it('refuses by the declared length, before a byte is read', async () => {
    await expect(readBytes(incoming({ 'content-length': '11' }), 10)).rejects.toThrow(problem(413, 'body_too_large'));
  });

  it('refuses what is longer than declared or not declared, at the byte too many', async () => {
    const message = incoming({ 'content-length': '1' });
    const bytes = readBytes(message, 3);
    message.push(Buffer.from('ab'));
    message.push(Buffer.from('cd'));
    await expect(bytes).rejects.toThrow(problem(413, 'body_too_large'));
  });

  it('a connection that ends too soon is an error, not half a body', async () => {
    const message = incoming();
    const bytes = readBytes(message, 10);
    message.push(Buffer.from('ab'));
    message.destroy();
    await expect(bytes).rejects.toThrow(problem(400, 'body_incomplete'));
  });

  describe('with a shared memory budget', () => {
    it('takes what arrives, and leaves it to the caller to give back', async () => {
      const budget = openMemoryBudget(4);
      const message = incoming();
      const bytes = readBytes(message, 10, { budget });
      message.push(Buffer.from('abcd'));
      message.push(null);
      expect(await bytes).toHaveLength(4);
      expect(budget.reserved).toBe(4);
    });

    it('refuses with a time to wait at the byte too many, and gives back what it took', async () => {
      const budget = openMemoryBudget(3);
      const message = incoming();
      const bytes = readBytes(message, 10, { budget });
      message.push(Buffer.from('ab'));
      message.push(Buffer.from('cd'));
      await expect(bytes).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
      expect(budget.reserved).toBe(0);
    });

    it('gives back what a body took that is too long or ends too soon', async () => {
      const budget = openMemoryBudget(100);
      const long = incoming();
      const short = incoming();
      const reads = [readBytes(long, 3, { budget }), readBytes(short, 3, { budget })];
      for (const message of [long, short]) message.push(Buffer.from('ab'));
      long.push(Buffer.from('cd'));
      short.destroy();
      await Promise.allSettled(reads);
      expect(budget.reserved).toBe(0);
    });
  });

  it('lets go of the stream', async () => {
    const message = incoming();
    const bytes = readBytes(message, 10);
    message.push(null);
    await bytes;
    expect(message.listenerCount('data')).toBe(0);
    expect(message.listenerCount('close')).toBe(0);
  });
});

describe('parseBody', () => {
  it('reads UTF-8', () => {
    expect(parseBody(Buffer.from('{"a":"grüße 世界 👩‍🔬"}'))).toEqual({ a: 'grüße 世界 👩‍🔬' });
  });

  it('takes a byte order mark, as editors write it', () => {
    expect(parseBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  it.each([
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le').subarray(1)],
  ])('refuses %s', (_, bytes) => {
    expect(() => parseBody(bytes)).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });

  it('takes 100 levels, not 101', () => {
    const nested = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(() => parseBody(nested(100))).not.toThrow();
    expect(() => parseBody(nested(101))).toThrow(problem(400, 'body_too_deep'));
  });

  it('says that an empty body is empty', () => {
    expect(() => parseBody(Buffer.from(' '))).toThrow(/it is empty/);
  });

  it('makes __proto__ a plain field', () => {
    const value = parseBody(Buffer.from('{"__proto__":{"polluted":1}}')) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['polluted']).toBeUndefined();
  });
});
