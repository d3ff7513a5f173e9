import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MODELS } from '../session/urlState';
import { EMPTY_DESK, toPane, type Desk, type Pane } from './desk';
import { addPane, closePane, toDesk, toModels } from './panes';

/** A pane with a conversation, unless `isEmpty`. */
const pane = (id: string, model: string, isEmpty = false): Pane => ({ ...toPane(id, model), turns: isEmpty ? [] : [{ id: `${id}-u`, role: 'user', content: 'Hi' }] });
const deskOf = (panes: readonly Pane[], parked: readonly Pane[] = []): Desk => ({ ...EMPTY_DESK, panes, parked });
const ids = (panes: readonly Pane[]) => panes.map((each) => each.id);

function counter(): () => string {
  let count = 0;
  return () => `new${(count += 1)}`;
}

describe('toDesk', () => {
  it('changes nothing for the same models', () => {
    const desk = deskOf([pane('p', 'a'), pane('q', 'b')]);
    expect(toDesk(desk, ['a', 'b'], counter())).toBe(desk);
  });

  it.each<[string, readonly Pane[], readonly string[], readonly string[], readonly string[]]>([
    ['a model is added', [pane('p', 'a')], ['a', 'b'], ['p', 'new1'], []],
    ['one is added in front', [pane('p', 'a')], ['b', 'a'], ['new1', 'p'], []],
    ['the order changes', [pane('p', 'a'), pane('q', 'b')], ['b', 'a'], ['q', 'p'], []],
    ['one leaves', [pane('p', 'a'), pane('q', 'b')], ['b'], ['q'], ['p']],
    ['one without a conversation leaves', [pane('p', 'a', true), pane('q', 'b')], ['b'], ['q'], []],
    ['one without a model leaves', [pane('p', ''), pane('q', 'b')], ['b'], ['q'], []],
    ['the same model is wanted twice', [pane('p', 'a')], ['a', 'a'], ['p', 'new1'], []],
    ['one of two panes of a model leaves', [pane('p', 'a'), pane('q', 'a')], ['a'], ['p'], ['q']],
    ['panes of a model change places with another', [pane('p', 'a'), pane('q', 'b'), pane('r', 'a')], ['a', 'a', 'b'], ['p', 'r', 'q'], []],
    ['all leave', [pane('p', 'a')], [], [], ['p']],
  ])('keeps conversations when %s', (_what, panes, models, shown, parked) => {
    const desk = toDesk(deskOf(panes), models, counter());
    expect(ids(desk.panes)).toEqual(shown);
    expect(ids(desk.parked)).toEqual(parked);
  });

  it('gives a model that comes back its conversation', () => {
    const away = toDesk(deskOf([pane('p', 'a'), pane('q', 'b')]), ['b'], counter());
    const back = toDesk(away, ['b', 'a'], counter());
    expect(ids(back.panes)).toEqual(['q', 'p']);
    expect(back.panes[1]?.turns).toHaveLength(1);
    expect(back.parked).toEqual([]);
  });

  it('prefers the newest conversation of a model', () => {
    expect(ids(toDesk(deskOf([], [pane('late', 'a'), pane('early', 'a')]), ['a'], counter()).panes)).toEqual(['late']);
  });

  it('shows no more panes than there is room for, and keeps a bounded number of the others', () => {
    const many = Array.from({ length: 60 }, (_, index) => `m${index}`);
    expect(toModels(toDesk(EMPTY_DESK, many, counter()))).toEqual(many.slice(0, MAX_MODELS));
    const parked = many.map((model) => pane(model, model));
    const desk = toDesk(deskOf([pane('p', 'a')], parked), ['z'], counter());
    expect(desk.parked).toHaveLength(24);
    expect(desk.parked[0]?.id).toBe('p');
  });

  it('shows the models that are asked for, each pane once, and loses no conversation, whatever came before', () => {
    const models = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: MAX_MODELS });
    fc.assert(
      fc.property(fc.array(models, { maxLength: 6 }), (steps) => {
        const makeId = counter();
        let desk = EMPTY_DESK;
        for (const step of steps) {
          const before = [...desk.panes, ...desk.parked];
          desk = toDesk(desk, step, makeId);
          desk = { ...desk, panes: desk.panes.map((each) => (each.turns.length > 0 ? each : { ...pane(each.id, each.model) })) };
          const after = ids([...desk.panes, ...desk.parked]);
          expect(toModels(desk)).toEqual(step);
          expect(new Set(after).size).toBe(after.length);
          if (desk.parked.length < 24) for (const each of before) if (each.model !== '') expect(after).toContain(each.id);
        }
      }),
    );
  });
});

describe('addPane', () => {
  it('adds at the end', () => expect(ids(addPane(deskOf([pane('p', 'a')]), 'b', 'q').panes)).toEqual(['p', 'q']));

  it('does nothing when there is no room', () => {
    const full = deskOf(Array.from({ length: MAX_MODELS }, (_, index) => pane(`p${index}`, 'a')));
    expect(addPane(full, 'b', 'q')).toBe(full);
  });
});

describe('closePane', () => {
  const desk = deskOf([pane('p', 'a'), pane('q', 'b')], [pane('old', 'c')]);

  it('sets the conversation aside, the newest first', () => {
    const closed = closePane(desk, 'p');
    expect([ids(closed.panes), ids(closed.parked)]).toEqual([['q'], ['p', 'old']]);
  });

  it('keeps the last pane', () => {
    const one = deskOf([pane('p', 'a')]);
    expect(closePane(one, 'p')).toBe(one);
  });

  it('does nothing for a pane that is not there', () => expect(closePane(desk, 'x')).toBe(desk));
});
