import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toContentHash, toQuestionHash } from './contentHash.ts';

/** The definition, byte by byte and with BigInt instead of 32-bit steps. */
function slowHash(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const WORD = 0xffffffffn;
  const c = [0x239b961bn, 0xab0e9789n, 0x38b34ae5n, 0xa1e38b93n];
  const wordTurn = [15n, 16n, 17n, 18n];
  const turn = [19n, 17n, 15n, 13n];
  const plus = [0x561ccd1bn, 0x0bcaa747n, 0x96cd1c35n, 0x32ac3b17n];
  const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & WORD;
  const h = [0n, 0n, 0n, 0n];
  const toMixed = (word: bigint, lane: number): bigint =>
    (rotate((word * c[lane]!) & WORD, wordTurn[lane]!) * c[(lane + 1) % 4]!) & WORD;
  const whole = Math.floor(bytes.length / 16) * 16;
  const wordAt = (at: number): bigint =>
    [0, 1, 2, 3].reduce((word, byte) => word | (BigInt(bytes[at + byte] ?? 0) << BigInt(8 * byte)), 0n);
  for (let at = 0; at < whole; at += 16) {
    for (let lane = 0; lane < 4; lane += 1) {
      h[lane]! ^= toMixed(wordAt(at + lane * 4), lane);
      h[lane] = ((rotate(h[lane]!, turn[lane]!) + h[(lane + 1) % 4]!) * 5n + plus[lane]!) & WORD;
    }
  }
  for (let lane = 0; lane < 4; lane += 1) h[lane]! ^= toMixed(wordAt(whole + lane * 4), lane) ^ BigInt(bytes.length);
  const spread = (): void => {
    h[0] = (h[0]! + h[1]! + h[2]! + h[3]!) & WORD;
    for (const lane of [1, 2, 3]) h[lane] = (h[lane]! + h[0]!) & WORD;
  };
  spread();
  for (let lane = 0; lane < 4; lane += 1) {
    let value = h[lane]!;
    value = ((value ^ (value >> 16n)) * 0x85ebca6bn) & WORD;
    value = ((value ^ (value >> 13n)) * 0xc2b2ae35n) & WORD;
    h[lane] = value ^ (value >> 16n);
  }
  spread();
  return [h[0], h[1]].map((value) => value!.toString(16).padStart(8, '0')).join('');
}

describe('toContentHash', () => {
  it('gives the published values of MurmurHash3 x86 128', () => {
    expect(toContentHash('')).toBe('0000000000000000');
    expect(toContentHash("I will not buy this tobacconist's, it is scratched.")).toBe('9b5b7ba2ef3f7866');
  });

  it('is the same as the definition', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.nat(0x1f600), (ascii, code) => {
        const text = ascii + String.fromCodePoint(code);
        expect(toContentHash(text)).toBe(slowHash(text));
      }),
    );
  });

  it('does not depend on what was hashed before', () => {
    const long = 'x'.repeat(3_000_000);
    const before = toContentHash('short');
    const hash = toContentHash(long);
    expect(toContentHash('short')).toBe(before);
    expect(toContentHash(long)).toBe(hash);
  });

  it('has no equal hashes among 50,000 similar texts', () => {
    const hashes = new Set(
      Array.from({ length: 50_000 }, (_, at) => toContentHash(`{"messages":[{"content":"${at}"}]}`)),
    );
    expect(hashes.size).toBe(50_000);
  });
});

describe('toQuestionHash', () => {
  const user = { role: 'user', content: 'Q' } as const;
  const answer = (content: string) => ({ role: 'assistant', content }) as const;

  it('is the same for other answers, and another for other questions, systems and tools', () => {
    const hash = toQuestionHash({ messages: [user, answer('A')] });
    expect(toQuestionHash({ messages: [user, answer('B')] })).toBe(hash);
    expect(toQuestionHash({ messages: [user] })).toBe(hash);
    const others = [
      { messages: [{ ...user, content: 'R' }, answer('A')] },
      { messages: [{ role: 'system', content: 'S' } as const, user, answer('A')] },
      { messages: [user, answer('A'), user, answer('A')] },
      { messages: [user, answer('A')], tools: [{ type: 'function' as const, function: { name: 'x' } }] },
    ];
    expect(new Set([hash, ...others.map((row) => toQuestionHash(row))]).size).toBe(5);
  });
});
