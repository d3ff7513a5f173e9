import { expect, it } from 'vitest';
import { SIGNS, toSigns } from './textSigns.ts';

it.each([
  ['Where is my parcel?', 0],
  ['a-word-of-sixteen-signs', SIGNS.run],
  ['anna@home', SIGNS.at],
  ['call 030 123 456', SIGNS.digits],
  ['port: 80', SIGNS.assigned],
  ['[INST] <b>', SIGNS.bracket],
])('says what %j has', (text, signs) => expect(toSigns(text)).toBe(signs));
