import { describe, expect, it } from 'vitest';
import { findTypeahead, isTyping, NO_TYPEAHEAD, reduceTypeahead } from './typeahead.ts';

const labels = ['Support desk', 'Ticket triage', 'Snapshot 1', 'Tools', 'Snapshot 2', 'élan'];
const find = (active: number, text: string) => findTypeahead(labels.length, (row) => labels[row] ?? '', active, text);

describe('typeahead', () => {
  it('collects characters and starts again after a pause', () => {
    const s = reduceTypeahead(NO_TYPEAHEAD, 'S', 5000);
    expect(s.text).toBe('s');
    expect(reduceTypeahead(s, 'n', 5300).text).toBe('sn');
    expect(reduceTypeahead(s, 'n', 6000).text).toBe('n');
  });

  it('walks through labels with one character, around the end', () => {
    expect(find(0, 's')).toBe(2);
    expect(find(2, 's')).toBe(4);
    expect(find(4, 's')).toBe(0);
    expect(find(0, 'ss')).toBe(2);
  });

  it('stays on the row while a longer text fits it', () => {
    expect(find(2, 'snap')).toBe(2);
    expect(find(2, 'snapshot 2')).toBe(4);
    expect(find(0, 'to')).toBe(3);
  });

  it('takes any letter, and finds nothing where there is nothing', () => {
    expect(find(0, 'é')).toBe(5);
    expect(find(0, 'x')).toBe(-1);
    expect(findTypeahead(0, () => '', -1, 'x')).toBe(-1);
  });
});

describe('isTyping', () => {
  it('ends with a pause, and has not begun before the first character', () => {
    expect(isTyping(NO_TYPEAHEAD, 100)).toBe(false);
    expect(isTyping({ text: 'dataset', at: 1_000 }, 1_600)).toBe(true);
    expect(isTyping({ text: 'dataset', at: 1_000 }, 1_800)).toBe(false);
  });
});
