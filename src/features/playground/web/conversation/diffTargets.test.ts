import { expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  EMPTY_DESK,
  toPane,
  toPendingAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
} from '#features/playground/web/desk/desk.ts';
import { type DiffChoice, findDiffTarget, toDiffTargets } from './diffTargets.ts';

const answer = (id: string, phase: Answer['phase'] = 'done', text = id): Answer => ({
  ...toPendingAnswer(id, `m-${id}`, 0),
  phase,
  message: { ...EMPTY_MESSAGE, text },
});
const turn = (id: string, versions: readonly Answer[], shown = versions.length - 1): AnswerTurn => ({
  id,
  role: 'assistant',
  versions,
  shown,
});

const DESK: Desk = {
  ...EMPTY_DESK,
  panes: [
    {
      ...toPane('p1', 'a'),
      turns: [{ id: 'u', role: 'user', content: 'Hi' }, turn('t1', [answer('a1')]), turn('t2', [answer('a2')])],
    },
    {
      ...toPane('p2', 'b'),
      turns: [turn('t3', [answer('b1'), answer('b2'), answer('b3')], 1), turn('t4', [answer('b4', 'streaming')])],
    },
    { ...toPane('p3', 'c'), turns: [] },
  ],
};

const targets = (paneId: string, turnId: string): readonly string[] =>
  toDiffTargets(DESK, paneId, turnId).map(({ answer: { id }, label }) => `${id}: ${label}`);
const find = (choice: Partial<DiffChoice>, paneId: string, turnId: string): string | null =>
  findDiffTarget(DESK, { panes: [], turns: {}, ...choice }, paneId, turnId)?.id ?? null;

it('lists the same position in other panes, then other versions from the previous one on, then all others', () => {
  expect(targets('p2', 't3')).toEqual([
    'a1: Pane 1 · m-a1',
    'b1: version 1',
    'b3: version 3',
    'a2: Pane 1 · m-a2, answer 2',
  ]);
  // A streaming answer can't be compared with.
  expect(targets('p1', 't2')).toEqual(['a1: Pane 1 · m-a1, answer 1', 'b2: Pane 2 · m-b2, answer 1']);
  expect(targets('p3', 'none')).toEqual([]);
});

it('compares a pane with the first one, position by position', () => {
  expect(find({ panes: ['p2'] }, 'p2', 't3')).toBe('a1');
  expect(find({ panes: ['p2'] }, 'p2', 't4')).toBe('a2');
  expect(find({ panes: ['p1'] }, 'p1', 't1')).toBeNull();
  expect(find({}, 'p2', 't3')).toBeNull();
});

it('prefers the choice of an answer to that of its pane', () => {
  expect(find({ panes: ['p2'], turns: { t3: 'off' } }, 'p2', 't3')).toBeNull();
  expect(find({ turns: { t3: { against: 'b1' } } }, 'p2', 't3')).toBe('b1');
  expect(find({ turns: { t3: { against: 'gone' } } }, 'p2', 't3')).toBeNull();
});
