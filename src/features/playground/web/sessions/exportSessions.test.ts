import { describe, expect, it } from 'vitest';
import { toFileName, toOmittedText } from './exportSessions.ts';
import { TOO_LARGE } from './sessionFile.ts';

describe('the message about omitted sessions', () => {
  const omitted = (count: number, reason = 'it can’t be read') =>
    Array.from({ length: count }, (_, index) => ({ title: `T${index}`, reason }));
  it('is empty if the file has all sessions', () => expect(toOmittedText([], 3)).toBe(''));
  it('names an omitted session', () =>
    expect(toOmittedText(omitted(1), 3)).toBe(' Not in it: “T0” (it can’t be read).'));
  it('names the first ones and counts the others', () =>
    expect(toOmittedText(omitted(5), 9)).toMatch(/“T2” \(it can’t be read\) and 2 more\.$/));
  it('advises to export a session by itself if the file had no room, even for a session that it only counts', () => {
    expect(toOmittedText(omitted(1, TOO_LARGE), 3)).toBe(
      ' Not in it: “T0” (it has no room in a file). What had no room can be exported by itself.',
    );
    expect(toOmittedText([...omitted(3), ...omitted(1, TOO_LARGE)], 9)).toMatch(
      / and 1 more\. What had no room can be exported by itself\.$/,
    );
  });
  it('gives no such advice if the session was exported by itself', () =>
    expect(toOmittedText(omitted(1, TOO_LARGE), 1)).toBe(' Not in it: “T0” (it has no room in a file).'));
});

it.each([
  ['Ünïcode & more', 'unicode-more.json'],
  ['../..', 'session.json'],
  ['', 'session.json'],
])('a file for %j is called %s', (title, name) => expect(toFileName(title)).toBe(name));
