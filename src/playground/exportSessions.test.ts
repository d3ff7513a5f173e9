import { describe, expect, it } from 'vitest';
import { toFileName, toLeftText } from './exportSessions';

describe('what is not in a file', () => {
  const left = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `T${index}`, reason: 'it can’t be read' }));
  it('is nothing to speak of where all is', () => expect(toLeftText([])).toBe(''));
  it('is named', () => expect(toLeftText(left(1))).toBe(' Not in it: “T0” (it can’t be read). What had no room can be exported by itself.'));
  it('is counted where it is a lot', () => expect(toLeftText(left(5))).toContain('“T2” (it can’t be read) and 2 more.'));
});

it.each([['Ünïcode & more', 'unicode-more.json'], ['../..', 'session.json'], ['', 'session.json']])('a file for %j is called %s', (title, name) => expect(toFileName(title)).toBe(name));
