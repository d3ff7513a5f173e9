import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { EMPTY_DESK, toAnswerTurn, toPane, toPendingAnswer, type Desk, type Pane, type Turn } from './desk.ts';
import {
  addPane,
  clearPanes,
  closePane,
  forkPane,
  movePane,
  reopenPane,
  restoreTurns,
  toDesk,
  toModels,
} from './panes.ts';

/** A pane with a conversation, unless `isEmpty`. */
const pane = (id: string, model: string, isEmpty = false): Pane => ({
  ...toPane(id, model),
  turns: isEmpty ? [] : [{ id: `${id}-u`, role: 'user', content: 'Hi' }],
});
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
    ['one without a model leaves', [pane('p', ''), pane('q', 'b')], ['b'], ['q'], ['p']],
    ['the same model is wanted twice', [pane('p', 'a')], ['a', 'a'], ['p', 'new1'], []],
    ['one of two panes of a model leaves', [pane('p', 'a'), pane('q', 'a')], ['a'], ['p'], ['q']],
    [
      'panes of a model change places with another',
      [pane('p', 'a'), pane('q', 'b'), pane('r', 'a')],
      ['a', 'a', 'b'],
      ['p', 'r', 'q'],
      [],
    ],
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

  it('shows no more panes than there is room for, and keeps all of the others', () => {
    const many = Array.from({ length: 60 }, (_, index) => `m${index}`);
    expect(toModels(toDesk(EMPTY_DESK, many, counter()))).toEqual(many.slice(0, MAX_MODELS));
    const parked = many.map((model) => pane(model, model));
    const desk = toDesk(deskOf([pane('p', 'a')], parked), ['z'], counter());
    expect(desk.parked).toHaveLength(61);
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
          desk = {
            ...desk,
            panes: desk.panes.map((each) => (each.turns.length > 0 ? each : { ...pane(each.id, each.model) })),
          };
          const after = ids([...desk.panes, ...desk.parked]);
          expect(toModels(desk)).toEqual(step);
          expect(new Set(after).size).toBe(after.length);
          if (desk.parked.length < 24)
            for (const each of before) if (each.model !== '') expect(after).toContain(each.id);
        }
      }),
    );
  });
});

describe('addPane', () => {
  it(
    'goes on with the conversation and the settings of the pane to its left, in copies; another model gets the ' +
      'questions alone',
    () => {
      const turns: readonly Turn[] = [
        { id: 'u', role: 'user', content: 'Hi' },
        toAnswerTurn('t', [{ ...toPendingAnswer('a', 'm', 5), phase: 'streaming' }]),
      ];
      const left: Pane = { ...toPane('q', 'b'), own: { seed: 1 }, turns };
      const { panes } = addPane(deskOf([pane('p', 'a'), left]), 'b', counter());
      expect(addPane(deskOf([left]), 'c', counter()).panes[1]).toMatchObject({
        model: 'c',
        own: { seed: 1 },
        turns: [{ content: 'Hi' }],
      });
      expect(addPane(deskOf([left]), 'c', counter()).panes[1]?.turns).toHaveLength(1);
      expect(panes[2]).toMatchObject({
        id: 'new1',
        model: 'b',
        own: { seed: 1 },
        turns: [{ id: 'new2', content: 'Hi' }, { versions: [{ model: 'm', phase: 'stopped' }] }],
      });
      const used = panes.flatMap((each) =>
        each.turns.flatMap((turn) =>
          [turn.id].concat(turn.role === 'assistant' ? turn.versions.map((answer) => answer.id) : []),
        ),
      );
      expect(new Set(used).size).toBe(used.length);
      expect(panes[1]).toBe(left);
    },
  );

  it('starts empty where there is no pane', () =>
    expect(addPane(EMPTY_DESK, 'a', counter()).panes).toEqual([toPane('new1', 'a')]));

  it('does nothing when there is no room', () => {
    const full = deskOf(Array.from({ length: MAX_MODELS }, (_, index) => pane(`p${index}`, 'a')));
    expect(addPane(full, 'b', counter())).toBe(full);
    expect(forkPane(full, 'p0', null, counter())).toBe(full);
  });
});

describe('forkPane', () => {
  const turns: readonly Turn[] = ['u', 'v', 'w'].map((id) => ({ id, role: 'user', content: id }));
  const desk = deskOf([{ ...toPane('p', 'a'), own: { seed: 1 }, turns }, pane('q', 'b')]);
  const said = (of: Desk, index: number) => of.panes[index]?.turns.map((turn) => turn.role === 'user' && turn.content);

  it('puts a pane to the right with what was said up to a turn', () => {
    const next = forkPane(desk, 'p', 'v', counter());
    expect([toModels(next), said(next, 0), said(next, 1), next.panes[1]?.own]).toEqual([
      ['a', 'a', 'b'],
      ['u', 'v', 'w'],
      ['u', 'v'],
      { seed: 1 },
    ]);
  });

  it('takes all of it without a turn', () =>
    expect(said(forkPane(desk, 'p', null, counter()), 1)).toEqual(['u', 'v', 'w']));
  it('does nothing for a pane that is not there', () => expect(forkPane(desk, 'x', null, counter())).toBe(desk));
});

describe('movePane', () => {
  const desk = deskOf([pane('p', 'a'), pane('q', 'b'), pane('r', 'c')]);
  it.each<[string, number, readonly string[]]>([
    ['p', 1, ['q', 'p', 'r']],
    ['r', 1, ['p', 'r', 'q']],
    ['r', 0, ['r', 'p', 'q']],
    ['p', 2, ['q', 'r', 'p']],
    ['p', -1, ['p', 'q', 'r']],
    ['r', 3, ['p', 'q', 'r']],
    ['x', 1, ['p', 'q', 'r']],
  ])('%s to %i', (id, step, expected) => expect(ids(movePane(desk, id, step).panes)).toEqual(expected));
});

describe('taking back', () => {
  const desk = deskOf([pane('p', 'a'), pane('q', 'b'), pane('r', 'c', true)]);

  it.each(['p', 'q', 'r'])('a closed pane comes back to its place: %s', (id) => {
    const index = desk.panes.findIndex((each) => each.id === id);
    expect(reopenPane(closePane(desk, id), desk.panes[index]!, index)).toEqual(desk);
  });

  it('a pane comes back once, and with what it was told since', () => {
    const closed = closePane(desk, 'p');
    const told: Desk = { ...closed, parked: [{ ...closed.parked[0]!, turns: [] }] };
    const back = reopenPane(told, desk.panes[0]!, 0);
    expect([ids(back.panes), back.panes[0]?.turns, back.parked]).toEqual([['p', 'q', 'r'], [], []]);
    expect(reopenPane(back, desk.panes[0]!, 0)).toBe(back);
  });

  it('cleared conversations come back in front of what was said since', () => {
    const cleared = clearPanes(desk, ['p']);
    expect(cleared.panes.map((each) => each.turns.length)).toEqual([0, 1, 0]);
    expect(cleared.panes[1]).toBe(desk.panes[1]);
    const since = {
      ...cleared,
      panes: cleared.panes.with(0, {
        ...cleared.panes[0]!,
        turns: [{ id: 'new', role: 'user' as const, content: 'x' }],
      }),
    };
    const back = restoreTurns(since, [desk.panes[0]!, { ...desk.panes[2]!, turns: [] }]);
    expect(back.panes[0]?.turns.map((turn) => turn.id)).toEqual(['p-u', 'new']);
    expect(back.panes[2]).toBe(cleared.panes[2]);
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
