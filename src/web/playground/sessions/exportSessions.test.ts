import { describe, expect, it } from 'vitest';
import { toFileName, toOmittedText } from './exportSessions.ts';
import { TOO_LARGE } from './sessionFile.ts';

describe('what is not in a file', () => {
  const left = (count: number, reason = 'it can’t be read') =>
    Array.from({ length: count }, (_, index) => ({ title: `T${index}`, reason }));
  it('is nothing to speak of where all is', () => expect(toOmittedText([], 3)).toBe(''));
  it('is named', () => expect(toOmittedText(left(1), 3)).toBe(' Not in it: “T0” (it can’t be read).'));
  it('is counted where it is a lot', () =>
    expect(toOmittedText(left(5), 9)).toMatch(/“T2” \(it can’t be read\) and 2 more\.$/));
  it('can be exported by itself where it had no room, also behind those that are named', () => {
    expect(toOmittedText(left(1, TOO_LARGE), 3)).toBe(
      ' Not in it: “T0” (it has no room in a file). What had no room can be exported by itself.',
    );
    expect(toOmittedText([...left(3), ...left(1, TOO_LARGE)], 9)).toMatch(
      / and 1 more\. What had no room can be exported by itself\.$/,
    );
  });
  it('is not sent round in a circle where it was exported by itself', () =>
    expect(toOmittedText(left(1, TOO_LARGE), 1)).toBe(' Not in it: “T0” (it has no room in a file).'));
});

it.each([
  ['Ünïcode & more', 'unicode-more.json'],
  ['../..', 'session.json'],
  ['', 'session.json'],
])('a file for %j is called %s', (title, name) => expect(toFileName(title)).toBe(name));
