import { describe, expect, it } from 'vitest';
import { CLOSE, LANES, NearRows, toSignature } from './nearRows.ts';

const SAME = { key: '0123456789abcdef', signature: null };

function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
const random = openRandom(7);
const word = (): string =>
  Array.from({ length: 3 + Math.floor(random() * 6) }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(
    '',
  );
const words = (count: number): string[] => Array.from({ length: count }, word);

function signatureOf(text: string): Uint16Array | null {
  const signature = new Uint16Array(LANES);
  return toSignature(text, signature) ? signature : null;
}
const estimate = (a: string, b: string): number => {
  const [left, right] = [signatureOf(a)!, signatureOf(b)!];
  return left.filter((value, lane) => value === right[lane]).length / LANES;
};
function exact(a: string, b: string): number {
  const piecesOf = (text: string) =>
    new Set(Array.from({ length: text.length - 5 }, (_, at) => text.slice(at, at + 6)));
  const [left, right] = [piecesOf(a), piecesOf(b)];
  const common = [...left].filter((piece) => right.has(piece)).length;
  return common / (left.size + right.size - common);
}
/** The text with some words replaced. */
const change = (list: readonly string[], count: number): string => {
  const changed = [...list];
  for (let at = 0; at < count; at += 1) changed[Math.floor((at * list.length) / count)] = word();
  return changed.join(' ');
};

describe('toSignature', () => {
  it.each([20, 80, 400])('estimates the common pieces of texts of %i words', (count) => {
    let error = 0;
    const rounds = 60;
    for (let round = 0; round < rounds; round += 1) {
      const list = words(count);
      const text = list.join(' ');
      const other = change(list, Math.floor((count / 20) * (round % 5)));
      error += Math.abs(estimate(text, other) - exact(text, other));
    }
    expect(error / rounds).toBeLessThan(0.05);
  });

  it('looks over case and white space', () => {
    const text = words(30).join(' ');
    expect(estimate(text, ` ${text.toUpperCase().replaceAll(' ', '\t\n ')}`)).toBe(1);
  });

  it('says nothing of short texts', () => {
    expect(signatureOf('')).toBeNull();
    expect(signatureOf('short'.repeat(7))).toBeNull();
    expect(signatureOf(' '.repeat(1000))).toBeNull();
  });

  it('takes texts of one letter, and lone surrogates', () => {
    expect(estimate('a'.repeat(100), 'a'.repeat(1000))).toBe(1);
    expect(signatureOf('\ud800'.repeat(100))).not.toBeNull();
  });
});

describe('NearRows', () => {
  it('finds nearly all close rows, and hardly any other', () => {
    const near = new NearRows();
    let missed = 0;
    let close = 0;
    for (let at = 0; at < 600; at += 1) {
      const list = words(60);
      const text = list.join(' ');
      expect(near.add(at * 2, signatureOf(text)!, SAME)).toBeNull();
      const other = change(list, 1 + (at % 6));
      const share = exact(text, other);
      const result = near.add(at * 2 + 1, signatureOf(other)!, SAME);
      if (result) {
        expect(result.row).toBe(at * 2);
        expect(share).toBeGreaterThan(CLOSE - 0.15);
        expect(Math.abs(result.similarity - share)).toBeLessThan(0.15);
      }
      if (share > 0.9) {
        close += 1;
        if (!result) missed += 1;
      }
    }
    expect(close).toBeGreaterThan(100);
    expect(missed / close).toBeLessThan(0.05);
  });

  it('compares only rows that teach the same', () => {
    const near = new NearRows();
    const list = words(60);
    const text = signatureOf(list.join(' '))!;
    const long = signatureOf(words(60).join(' '))!;
    const other = signatureOf(words(60).join(' '))!;
    const of = (digit: string, signature: Uint16Array | null = null) => ({ key: digit.repeat(16), signature });
    expect(near.add(0, text, of('1'))).toBeNull();
    expect(near.add(1, text, of('2'))).toBeNull();
    expect(near.add(2, text, of('3', long))).toBeNull();
    expect(near.add(3, text, of('3', other))).toBeNull();
    expect(near.add(4, text, of('2'))).toEqual({ row: 1, similarity: 1 });
    expect(near.add(5, text, of('3', long))).toEqual({ row: 2, similarity: 1 });
    expect(near.add(6, text, of('3', other))).toEqual({ row: 3, similarity: 1 });
  });

  it('finds a copy among thousands of close rows that teach something else', () => {
    const near = new NearRows();
    const text = signatureOf(words(60).join(' '))!;
    for (let at = 0; at < 3000; at += 1)
      expect(near.add(at, text, { key: at.toString(16).padStart(16, '0'), signature: null })).toBeNull();
    expect(near.add(3000, text, { key: '5'.padStart(16, '0'), signature: null })?.row).toBe(5);
  });
});
