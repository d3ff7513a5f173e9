import { expect, it } from 'vitest';
import { EMPTY_DESK, toPane, type Desk, type Pane } from '#features/playground/web/desk/desk.ts';
import { openColumnSelector, toPaneColumns } from './gridColumns.ts';

const desk = (panes: readonly Pane[], shared: Desk['shared'] = {}): Desk => ({ ...EMPTY_DESK, panes, shared });

it('makes a column of each pane with a model, and says why settings can’t be sent', () => {
  const { columns, problems } = toPaneColumns(
    desk([toPane('a', 'm1'), toPane('b', ''), { ...toPane('c', 'm2'), own: { tools: '{' } }], {
      systemPrompt: 'Be brief.',
      temperature: 0.2,
    }),
    'gateway',
  );
  const request = { model: 'm1', messages: [{ role: 'system', content: 'Be brief.' }], stream: true };
  const toNeutral = (id: string, model: string) => ({
    id,
    label: model,
    sampling: 'neutral',
    request: { model, messages: [], stream: true, temperature: 0 },
  });
  expect(columns).toEqual([
    {
      neutral: toNeutral('a', 'm1'),
      pane: {
        own: { id: 'a', label: 'm1', sampling: 'pane', request: { ...request, temperature: 0.2 } },
        greedy: { id: 'a', label: 'm1', sampling: 'greedy', request: { ...request, temperature: 0 } },
      },
      problem: null,
    },
    { neutral: toNeutral('c', 'm2'), pane: null, problem: 'Pane 3: Tools: not valid JSON at line 1.' },
  ]);
  expect(problems).toEqual(['Pane 2 has no model.']);
});

it('leaves the conversation out', () => {
  const pane: Pane = { ...toPane('a', 'm'), turns: [{ id: 't', role: 'user', content: 'Hi' }] };
  expect(toPaneColumns(desk([pane]), null).columns[0]?.pane?.own.request.messages).toEqual([]);
});

it('labels columns of one model by what differs', () => {
  const panes: readonly Pane[] = [
    { ...toPane('a', 'm'), own: { temperature: 0 } },
    { ...toPane('b', 'm'), own: { temperature: 1, systemPrompt: 'A long system prompt that goes on' } },
    { ...toPane('c', 'm'), own: { temperature: 0 } },
    toPane('d', 'other'),
  ];
  const { columns } = toPaneColumns(desk(panes), null);
  expect(columns.map(({ pane }) => [pane?.own.label, pane?.greedy.label])).toEqual([
    ['m · System prompt default · Temperature 0', 'm · System prompt default'],
    ['m · System prompt “A long system prompt th… · Temperature 1', 'm · System prompt “A long system prompt th…'],
    ['m · System prompt default · Temperature 0 (2)', 'm · System prompt default (2)'],
    ['other', 'other'],
  ]);
});

it("is named like its pane, and keeps the model's id for exports", () => {
  const names = new Map([
    ['ft-1', 'Experiment 1 · LoRA'],
    ['ft-2', 'Experiment 1 · LoRA'],
    ['ft-3', 'Experiment 2 · QLoRA'],
  ]);
  const panes: readonly Pane[] = [
    toPane('a', 'ft-1'),
    toPane('b', 'ft-2'),
    { ...toPane('c', 'ft-3'), own: { temperature: 0 } },
    toPane('d', 'ft-3'),
    toPane('e', 'ft-3'),
    toPane('f', 'base'),
  ];
  expect(toPaneColumns(desk(panes), null, names).columns.map(({ pane }) => [pane?.own.name, pane?.own.label])).toEqual([
    ['Experiment 1 · LoRA · ft-1', 'ft-1'],
    ['Experiment 1 · LoRA · ft-2', 'ft-2'],
    ['Experiment 2 · QLoRA · Temperature 0', 'ft-3 · Temperature 0'],
    ['Experiment 2 · QLoRA · Temperature default', 'ft-3 · Temperature default'],
    ['Experiment 2 · QLoRA · Temperature default (2)', 'ft-3 · Temperature default (2)'],
    [undefined, 'base'],
  ]);
});

it('holds the values of the session, for rows without their own', () => {
  const before = { ...desk([toPane('a', 'm')], { systemPrompt: 'For {{company}}.' }), values: { company: 'Acme' } };
  const select = openColumnSelector(null);
  const { columns } = select(before);
  expect(columns.map(({ pane }) => [pane?.own.values, pane?.own.request.messages])).toEqual([
    [{ company: 'Acme' }, [{ role: 'system', content: 'For {{company}}.' }]],
  ]);
  expect(select({ ...before, values: { company: 'Other' } }).columns[0]?.pane?.own.values).toEqual({
    company: 'Other',
  });
});

it('stays the same object while only conversations change', () => {
  const select = openColumnSelector(null);
  const before = desk([toPane('a', 'm')]);
  const first = select(before);
  const [pane = toPane('', '')] = before.panes;
  expect(
    select({ ...before, draft: 'x', panes: [{ ...pane, turns: [{ id: 't', role: 'user', content: 'Hi' }] }] }),
  ).toBe(first);
  expect(select({ ...before, panes: [{ ...pane, model: 'n' }] })).not.toBe(first);
});
