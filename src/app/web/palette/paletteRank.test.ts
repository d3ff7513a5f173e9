import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, rankRange, rankText, rankTexts, startRanking, toRanked } from './paletteRank.ts';

const rank = (text: string, typed: string) => rankText(text, parseQuery(typed));
const order = (texts: readonly string[], typed: string) =>
  rankTexts(texts, parseQuery(typed), 50).places.map((at) => texts[at]);

describe('rankText', () => {
  it('goes from the label itself to a part of another field', () => {
    expect(rank('job 1\nabc', 'Job 1')).toBe(0);
    expect(rank('job 12\nabc', 'job 1')).toBe(1);
    expect(rank('first job 1\nabc', 'job 1')).toBe(2);
    expect(rank('prejob\nabc', 'job')).toBe(3);
    expect(rank('x\njob-id\nabc', 'job')).toBe(4);
    expect(rank('x\nft-qwen3', 'wen3')).toBe(5);
    expect(rank('x\ny', 'job')).toBe(-1);
  });

  it('asks for every word, in any order, and takes the worst', () => {
    expect(rank('experiment 12 · lora\nid', 'lora experiment')).toBe(2);
    expect(rank('experiment 12\nid-7', 'experiment id')).toBe(4);
    expect(rank('experiment 12\nid-7', 'experiment zzz')).toBe(-1);
  });

  it('knows words by what stands before them, letters of any language included', () => {
    expect(rank('naïve-bayes', 'bayes')).toBe(2);
    expect(rank('überprüfung', 'prüfung')).toBe(3);
    expect(rank('a label without fields', 'fields')).toBe(2);
  });

  it('does not run from the label into the next field', () => {
    expect(rank('ab\ncd', 'abcd')).toBe(-1);
  });
});

describe('rankTexts', () => {
  it('puts the better first and keeps the order of equals', () => {
    expect(order(['my run', 'run 2', 'overrun', 'run', 'run 1'], 'run')).toEqual([
      'run',
      'run 2',
      'run 1',
      'my run',
      'overrun',
    ]);
  });

  it('gives all in their own order while nothing is typed', () => {
    expect(order(['b', 'a'], '  ')).toEqual(['b', 'a']);
  });

  it('counts what it does not list', () => {
    const found = rankTexts(
      Array.from({ length: 80 }, (_, at) => `run ${at}`),
      parseQuery('run'),
      50,
    );
    expect([found.places.length, found.count, found.best]).toEqual([50, 80, 1]);
    expect(rankTexts(['a'], parseQuery('zzz'), 50)).toEqual({ places: [], best: 8, count: 0 });
  });

  it('finds the same in slices of any size', () => {
    const text = fc.stringMatching(/^[ab ]{0,4}\n[abc-]{0,4}$/);
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 30 }),
        fc.stringMatching(/^[abc]{1,2}( [abc]{1,2})?$/),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 8 }),
        (texts, typed, slice, most) => {
          const ranking = startRanking();
          for (let at = 0; at < texts.length; at += slice)
            rankRange(ranking, texts, parseQuery(typed), at, at + slice, most);
          expect(toRanked(ranking, most)).toEqual(rankTexts(texts, parseQuery(typed), most));
          // And it is what sorting all of them gives.
          const sorted = texts
            .map((entry, at) => ({ at, rank: rankText(entry, parseQuery(typed)) }))
            .filter((entry) => entry.rank >= 0)
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ at }) => at);
          expect(toRanked(ranking, most).places).toEqual(sorted.slice(0, most));
        },
      ),
    );
  });
});

describe('texts that stand above each other', () => {
  const tree = ['desk\np', 'dataset 7\nd', 'snapshot 1\ns-7', 'experiment 1\nx', 'dataset 17\nd2', 'snapshot 7\ns2'];
  const parents = Int32Array.of(-1, 0, 1, 2, 0, 4);
  const find = (typed: string) =>
    rankTexts(tree, parseQuery(typed), 50, parents).places.map((at) => tree[at]?.split('\n')[0]);

  it('share their words downwards, and those that have all themselves come first', () => {
    expect(find('dataset 7 snap')).toEqual(['snapshot 1', 'snapshot 7']);
    expect(find('snapshot 7')).toEqual(['snapshot 7', 'snapshot 1']);
    expect(find('17 snap')).toEqual(['snapshot 7']);
    expect(find('desk experiment')).toEqual(['experiment 1']);
    expect(find('desk none')).toEqual([]);
  });

  it('give the same in slices of any size', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('dataset 7', 's 1', 'desk snap', 'dataset snap 7', 'x'),
        fc.integer({ min: 1, max: 7 }),
        (typed, slice) => {
          const ranking = startRanking(tree.length);
          for (let at = 0; at < tree.length; at += slice)
            rankRange(ranking, tree, parseQuery(typed), at, at + slice, 50, parents);
          expect(toRanked(ranking, 50)).toEqual(rankTexts(tree, parseQuery(typed), 50, parents));
        },
      ),
    );
  });
});
