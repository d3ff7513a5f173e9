import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopFilter } from './stopFilter.ts';

function run(
  stop: string | readonly string[] | undefined,
  pieces: readonly string[],
): { text: string; isStopped: boolean; shown: readonly string[] } {
  const filter = new StopFilter(stop);
  const shown = pieces.map((piece) => filter.push(piece));
  return { text: shown.join('') + filter.flush(), isStopped: filter.isStopped, shown };
}

describe('StopFilter', () => {
  it.each([
    ['no stop', undefined, ['abc'], 'abc', false],
    ['inside one piece', 'lo', ['hello world'], 'hel', true],
    ['across pieces', 'o wor', ['hel', 'lo', ' w', 'orld'], 'hell', true],
    ['the first to be complete wins', ['abcd', 'c'], ['ab', 'cd'], 'ab', true],
    ['the longer one when both end together', ['c', 'abc'], ['xab', 'c'], 'x', true],
    ['a prefix that goes on otherwise is shown', 'abcabd', ['abcab', 'cabd!'], 'abc', true],
    ['a prefix at the end is shown', 'stop', ['we st', 'o'], 'we sto', false],
    ['at the very beginning', ['\n\n'], ['\n', '\nHi'], '', true],
    ['repeated characters', 'aab', ['aaa', 'ab'], 'aa', true],
  ] as const)('%s', (_name, stop, pieces, text, isStopped) => {
    expect(run(stop, pieces)).toMatchObject({ text, isStopped });
  });

  it('holds back no more than what may begin a stop sequence', () => {
    expect(run('END', ['some text', ' E', 'N', 'X']).shown).toEqual(['some text', ' ', '', 'ENX']);
  });

  it('never leaves half a surrogate pair behind', () => {
    expect(run('\uDE00', ['a\u{1F600}b']).text).toBe('a');
    expect(run('\uDE00!', ['a\u{1F600}', 'b']).shown.join('')).toBe('a\u{1F600}b');
  });

  it('gives the same text wherever the answer is cut, and never shows a stop sequence', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(letters, stops, fc.array(fc.nat(40), { maxLength: 6 }), (text, stop, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((one, two) => one - two), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        const whole = run(stop, [text]);
        expect(run(stop, pieces).text).toBe(whole.text);
        for (const sequence of stop) expect(whole.text).not.toContain(sequence);
        expect(text.startsWith(whole.text)).toBe(true);
        expect(whole.isStopped).toBe(stop.some((sequence) => text.includes(sequence)));
      }),
    );
  });
});
