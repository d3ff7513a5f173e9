import { expect, it } from 'vitest';
import { openLineReader, type LineLimits, type ReadLines } from './lineReader.ts';
import { requestPieces } from './request.ts';
import { connect } from './server.fixture.ts';

async function read(pieces: readonly string[], limits: Partial<LineLimits> = {}): Promise<ReadLines> {
  const reader = openLineReader({ lines: 3, length: 100, ...limits });
  for (const piece of pieces) if (!reader.isDone()) await reader.take(piece);
  return reader.end();
}

it('reads the same lines wherever the answer is cut', async () => {
  const text = 'ab\n\ncd\n \nef';
  for (let at = 0; at <= text.length; at += 1)
    expect(await read([text.slice(0, at), text.slice(at)])).toEqual({ lines: ['ab', 'cd', 'ef'], isWhole: true });
  expect(await read([...text])).toEqual({ lines: ['ab', 'cd', 'ef'], isWhole: true });
  expect(await read([])).toEqual({ lines: [], isWhole: true });
});

it('stops after its number of lines; exactly that many are the whole answer', async () => {
  expect(await read(['a\nb\nc\n'])).toEqual({ lines: ['a', 'b', 'c'], isWhole: true });
  expect(await read(['a\nb\nc\nd'])).toEqual({ lines: ['a', 'b', 'c'], isWhole: false });
  expect(await read(['a\nb\n', 'c\nd\n', 'e\n'])).toEqual({ lines: ['a', 'b', 'c'], isWhole: false });
});

it('stops at its length, without the line that is not complete', async () => {
  expect(await read(['aa\nb', 'bbbb', 'bb\n'], { length: 6 })).toEqual({ lines: ['aa'], isWhole: false });
});

it('leaves the rest of an answer that never ends', async () => {
  let onClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const connection = await connect((request, response) => {
    request.socket.once('close', onClosed);
    response.write('a\nb\nc\nd\n');
  });
  const limits = { lines: 2, length: 100 };
  const lines = await requestPieces('/', { connection }, () => openLineReader(limits));
  expect(lines).toEqual({ lines: ['a', 'b'], isWhole: false });
  await closed;
});
