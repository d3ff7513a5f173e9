import { describe, expect, it } from 'vitest';
import { EMPTY_DESK, toPane, type Desk } from './desk.ts';
import { paneObstacle, runObstacle, toPaneRequest } from './paneRequest.ts';
import { toPlaceholder, fillText, missingVariables, neededVariables, setValue } from './variables.ts';

const desk: Desk = {
  ...EMPTY_DESK,
  panes: [toPane('a', 'm'), { ...toPane('b', 'n'), own: { systemPrompt: 'As {{role}} in {{ city }}.' } }],
  shared: { systemPrompt: 'Answer in {{language}}.' },
  draft: 'Tell {{name}} of {"a": {"b": 1}} in {{language}}',
};
const full: Desk = { ...desk, values: { language: 'French', name: '{{city}} & $1', role: '', city: 'Oslo' } };

it('finds what the panes need, each once, and never in JSON', () =>
  expect(neededVariables(desk)).toEqual(['language', 'name', 'role', 'city']));

describe('a missing value', () => {
  it('is missing only where it is used', () => {
    const some = setValue(setValue(desk, 'language', 'French'), 'name', '');
    expect(missingVariables(some, [some.panes[0]!])).toEqual([]);
    expect(missingVariables(some)).toEqual(['role', 'city']);
    expect([paneObstacle(some, some.panes[0]!), paneObstacle(some, some.panes[1]!), runObstacle(some)]).toEqual([
      null,
      'Give the variable role a value first.',
      'Pane 2: Give the variable role a value first.',
    ]);
  });

  it('keeps the request from being made, and no longer than it is missing', () => {
    expect(toPaneRequest(desk, desk.panes[0]!, { draft: desk.draft })).toEqual({
      ok: false,
      problem: 'Give the variable language a value first.',
    });
    expect(toPaneRequest(setValue(full, 'city', null), full.panes[1]!)).toMatchObject({
      ok: false,
      problem: 'Give the variable city a value first.',
    });
  });
});

it('sends the filled text; values are never read for variables', () => {
  const sent = toPaneRequest(full, full.panes[1]!, { draft: full.draft });
  expect(sent.ok && sent.request.messages).toEqual([
    { role: 'system', content: 'As  in Oslo.' },
    { role: 'user', content: 'Tell {{city}} & $1 of {"a": {"b": 1}} in French' },
  ]);
});

it('leaves what was said before alone, whatever it holds', () => {
  const said: Desk = {
    ...full,
    draft: '',
    panes: [{ ...toPane('a', 'm'), turns: [{ id: '1', role: 'user', content: 'What is {{unknown}} in Jinja?' }] }],
  };
  const sent = toPaneRequest(said, said.panes[0]!);
  expect(sent.ok && sent.request.messages[1]).toEqual({ role: 'user', content: 'What is {{unknown}} in Jinja?' });
});

it('can be sent as it is written', () => {
  const kept = setValue({ ...desk, draft: 'Explain {{name}}' }, 'name', toPlaceholder('name'));
  expect(fillText(kept, kept.draft)).toBe('Explain {{name}}');
  expect(missingVariables(kept)).not.toContain('name');
});

it('takes no name of an object’s own for a value', () =>
  expect(missingVariables({ ...desk, draft: '{{constructor}}' }, [])).toEqual([]));

it('asks for values of names that objects have too', () => {
  const odd: Desk = { ...EMPTY_DESK, panes: [toPane('a', 'm')], draft: '{{constructor}} {{__proto__}}' };
  expect(missingVariables(odd)).toEqual(['constructor', '__proto__']);
  expect(fillText(setValue(setValue(odd, '__proto__', 'x'), 'constructor', 'y'), odd.draft)).toBe('y x');
});
