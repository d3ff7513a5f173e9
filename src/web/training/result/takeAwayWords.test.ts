import { expect, it } from 'vitest';
import { toCommandText, toSizeText } from './takeAwayWords.ts';

it.each([
  [0, '1 kB'],
  [419_600, '420 kB'],
  [1_900_000, '1.9 MB'],
  [3_240_000_000, '3.2 GB'],
])('%d bytes are %s', (bytes, text) => expect(toSizeText(bytes)).toBe(text));

it('a command is quoted where a shell would cut it', () => {
  expect(toCommandText(['node', '/my files/train.mjs', 'job.json'])).toBe("node '/my files/train.mjs' job.json");
});
