import { describe, expect, it } from 'vitest';
import { parseToken } from './signInToken.ts';

describe('parseToken', () => {
  it.each([
    ['abc_-123', 'abc_-123'],
    ['  abc\n', 'abc'],
    ['http://127.0.0.1:4600/?token=abc', 'abc'],
    ['Model Studio  http://127.0.0.1:4600/?token=abc', 'abc'],
    ['http://x/?project=1&token=a%2Bb&node=2', 'a+b'],
    ['http://x/?token=a%', 'a%'],
    ['http://x/?token=abc#top', 'abc'],
    ['', ''],
  ])('%s', (pasted, token) => {
    expect(parseToken(pasted)).toBe(token);
  });
});
