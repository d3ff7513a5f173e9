import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeRoot, type FakeRoot } from './fakeRoot.fixture.ts';
import { localCalls } from './fileCalls.ts';
import { withFile } from './safeFile.ts';
import { readTail, type TailChunk, type TailPosition } from './watchedFile.ts';

let root: FakeRoot;
beforeEach(() => {
  root = fakeRoot();
});
afterEach(() => root.close());

/** Reads a log step by step, as a reader of lines does. */
class Follower {
  position: TailPosition | null = null;
  text = '';
  skipped = 0;

  constructor(
    readonly from: 'start' | 'end' = 'start',
    readonly chunkBytes = 7,
  ) {}

  async step(): Promise<TailChunk> {
    const options = { from: this.from, chunkBytes: this.chunkBytes, logBytes: 20 };
    const chunk = await withFile({ folder: root.folder, calls: localCalls }, 'log', (open) =>
      readTail(open, this.position, options),
    );
    if (chunk.isFromStart) [this.text, this.skipped] = ['', chunk.skippedBytes];
    this.text += Buffer.from(chunk.content).toString('latin1');
    this.position = chunk.next;
    return chunk;
  }

  async catchUp(): Promise<string> {
    while ((await this.step()).isMore);
    return this.text;
  }
}

describe('following a file', () => {
  it('reads each byte once, in bounded chunks', async () => {
    root.write('log', 'first line\nsecond line\n');
    const follower = new Follower();
    const chunks = [await follower.step(), await follower.step()];
    expect(chunks.map(({ content }) => content.length)).toEqual([7, 7]);
    expect(chunks.map(({ isFromStart, isMore }) => [isFromStart, isMore])).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(await follower.catchUp()).toBe('first line\nsecond line\n');
    root.append('log', 'third');
    expect(await follower.catchUp()).toBe('first line\nsecond line\nthird');
    expect((await follower.step()).content).toHaveLength(0);
  });

  it('starts over when the file was cut', async () => {
    root.write('log', 'a long first run\n');
    const follower = new Follower();
    await follower.catchUp();
    root.resize('log', 3);
    expect(await follower.catchUp()).toBe('a l');
    root.resize('log', 0);
    expect([(await follower.step()).isFromStart, follower.text]).toEqual([true, '']);
  });

  it('starts over when another file has its name, and when it was written anew in place and is longer', async () => {
    root.write('log', 'one two three\n');
    const follower = new Follower();
    await follower.catchUp();
    root.write('new', 'one two three\nand four\n');
    root.rename('new', 'log');
    expect(await follower.catchUp()).toBe('one two three\nand four\n');
    // The same inode.
    root.write('log', 'another run, which has written more by now\n');
    expect(await follower.catchUp()).toBe('another run, which has written more by now\n');
  });

  it('reads only the end of a long log, and then all that follows', async () => {
    root.write('log', '0123456789'.repeat(10));
    const follower = new Follower('end');
    expect(await follower.catchUp()).toBe('0123456789'.repeat(2));
    expect(follower.skipped).toBe(80);
    root.append('log', 'abcdefghij'.repeat(5));
    expect(await follower.catchUp()).toBe('0123456789'.repeat(2) + 'abcdefghij'.repeat(5));
  });

  it('reads the last bytes of 5 GB at once', async () => {
    root.write('log', '');
    root.resize('log', 5 * 2 ** 30);
    root.append('log', 'the end');
    const follower = new Follower('end', 1024);
    expect(await follower.catchUp()).toBe(`${'\0'.repeat(13)}the end`);
  });

  it('holds what the file holds, whatever was done to it', async () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), text: fc.string({ unit: 'binary-ascii', maxLength: 30 }) }),
      fc.record({ kind: fc.constant('write' as const), text: fc.string({ unit: 'binary-ascii', maxLength: 30 }) }),
      fc.record({ kind: fc.constant('cut' as const), text: fc.string({ maxLength: 10 }) }),
      fc.record({ kind: fc.constant('step' as const), text: fc.constant('') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        root.write('log', '');
        const follower = new Follower();
        let held = '';
        for (const { kind, text } of changes) {
          if (kind === 'append') root.append('log', text);
          // A new text with the old beginning can't be told from an appended one, and reads the same.
          if (kind === 'write') root.write('log', text);
          if (kind === 'cut') root.resize('log', Math.min(held.length, text.length));
          if (kind === 'append') held += text;
          if (kind === 'write') held = text;
          if (kind === 'cut') held = held.slice(0, text.length);
          if (kind === 'step') await follower.step();
          else await follower.catchUp();
        }
        expect(await follower.catchUp()).toBe(held);
      }),
      { numRuns: 60 },
    );
  });
});
