import { describe, expect, it } from 'vitest';
import { parseTabChoices, toNodePatch, toTab, toTabChoices, type TabChoices } from './nodeTab.ts';

const NONE: TabChoices = new Map();
const run = { id: 'x1', type: 'experiment' };

describe('toTab', () => {
  it.each([
    [null, 'experiment', 'detail'],
    [null, 'finetuning-job', 'experiments'],
    [null, 'snapshot', 'recommendations'],
    [null, 'constructor', 'detail'],
    ['compare', 'experiment', 'compare'],
    ['nonsense', 'experiment', 'detail'],
  ])('shows tab %j of a node of kind %j as %j', (tab, type, expected) => expect(toTab(tab, type)).toBe(expected));
});

describe('toNodePatch', () => {
  it('names no tab while the kind of the node decides', () => {
    expect(toNodePatch(run, NONE)).toEqual({ node: 'x1', tab: null });
  });

  it('names the tab that was chosen for this kind, and for no other kind', () => {
    const chosen = toTabChoices(NONE, 'experiment', 'recommendations');
    expect(toNodePatch(run, chosen)).toEqual({ node: 'x1', tab: 'recommendations' });
    expect(toNodePatch({ id: 'j', type: 'finetuning-job' }, chosen)).toEqual({ node: 'j', tab: null });
  });

  it('forgets a choice with the next one', () => {
    const again = toTabChoices(toTabChoices(NONE, 'experiment', 'recommendations'), 'experiment', 'detail');
    expect(toNodePatch(run, again)).toEqual({ node: 'x1', tab: null });
  });

  it('takes Compare for no choice, as it shows no node', () => {
    expect(toTabChoices(NONE, 'experiment', 'compare')).toBe(NONE);
  });
});

it.each([null, '', '{', '7', '{"experiment":"gone","dataset":3}'])('reads %j as no choice', (text) => {
  expect(parseTabChoices(text)).toEqual(NONE);
});

it('reads the choices that it wrote', () => {
  const chosen = toTabChoices(toTabChoices(NONE, 'experiment', 'recommendations'), 'snapshot', 'experiments');
  expect(parseTabChoices(JSON.stringify(Object.fromEntries(chosen)))).toEqual(chosen);
});
