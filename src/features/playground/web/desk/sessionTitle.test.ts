// What a session and a fork of it are called.
import { describe, expect, it } from 'vitest';
import { EMPTY_DESK, toPane } from './desk.ts';
import { toDeskTitle, toForkTitle, UNTITLED } from './sessionTitle.ts';

it('a session goes by its title, its first message, or nothing', () => {
  const desk = {
    ...EMPTY_DESK,
    panes: [
      {
        ...toPane('p', 'a'),
        turns: [
          { id: '1', role: 'user', content: ' ' },
          { id: '2', role: 'user', content: 'First\nof all' },
        ] as const,
      },
    ],
  };
  expect([toDeskTitle({ ...desk, title: 'Mine' }), toDeskTitle(desk), toDeskTitle(EMPTY_DESK)]).toEqual([
    'Mine',
    'First of all',
    UNTITLED,
  ]);
});

describe('a fork', () => {
  it.each([
    ['Mine', [], 'Mine (fork)'],
    ['Mine', ['Mine', 'Mine (fork)'], 'Mine (fork 2)'],
    ['Mine (fork)', ['Mine (fork)', 'Mine (fork 2)'], 'Mine (fork 3)'],
    ['Mine (fork 2)', [], 'Mine (fork)'],
    ['A (fork) in the road', [], 'A (fork) in the road (fork)'],
  ])('of %j beside %j is called %j', (title, taken, fork) => {
    expect(toForkTitle(title, taken)).toBe(fork);
  });

  it('of a long title fits into a list, and keeps its mark', () => {
    const first = toForkTitle('🙂'.repeat(200), []);
    const second = toForkTitle('🙂'.repeat(200), [first]);
    expect([Array.from(first).length, first.endsWith('🙂… (fork)')]).toEqual([80, true]);
    expect([Array.from(second).length, second.endsWith('🙂… (fork 2)')]).toEqual([80, true]);
  });
});
