import { describe, expect, it } from 'vitest';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { changeSettings, EMPTY_DESK, linkPane, paneSettings, toPane, type Desk } from './desk.ts';
import {
  bringModelSettings,
  findSchemaSource,
  giveModelSettings,
  isSameModelSettings,
  isUntouched,
  mayReplaceSettings,
  toModelSettings,
} from './modelSettings.ts';

const NONE: Examples = {
  model: '',
  about: '',
  system_prompt: '',
  tools: [],
  response_format: null,
  turns: null,
  continues_after_tool: null,
  prompts: [],
};
const SCHEMA = { type: 'object', properties: { topic: { type: 'string', enum: ['a', 'b'] } } };
const TRIAGE: Examples = {
  ...NONE,
  model: 'triage',
  system_prompt: 'Classify the ticket.',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
  turns: 'single',
};
const TOOL = { type: 'function', function: { name: 'cancel_order' } };
const ORDERS: Examples = {
  ...NONE,
  model: 'orders',
  system_prompt: 'Use the tools.',
  tools: [TOOL],
  turns: 'multi',
  continues_after_tool: false,
};
const BASE: Examples = { ...NONE, model: 'base', system_prompt: 'You are an assistant.' };
const ALL: Readonly<Record<string, Examples>> = { triage: TRIAGE, orders: ORDERS, base: BASE };
const find = (model: string): Examples | null => ALL[model] ?? null;

const toDesk = (...models: readonly string[]): Desk => ({
  ...EMPTY_DESK,
  panes: models.map((model, index) => toPane(`p${index}`, model)),
});
/** Opens the panes of `desk`. `meanwhile`: what became of it while the examples loaded. */
const open = (desk: Desk, meanwhile = desk): Desk =>
  bringModelSettings(
    meanwhile,
    desk.panes.map((pane) => ({
      paneId: pane.id,
      model: pane.model,
      examples: find(pane.model),
      settings: paneSettings(desk, pane),
    })),
    find,
  );
const settingsOf = (desk: Desk, index: number) => paneSettings(desk, desk.panes[index]!);
const withDraft = (turns: Desk['panes'][number]['turns'], desk: Desk): Desk => ({
  ...desk,
  panes: desk.panes.map((pane) => ({ ...pane, turns })),
});
const TURNS = [{ id: 't', role: 'user', content: 'Hi' }] as const;

it('a model has its system prompt, tools and schema as settings; without examples it has none', () => {
  expect(toModelSettings(TRIAGE)).toEqual({
    systemPrompt: 'Classify the ticket.',
    response_format: 'json_schema',
    schema: { name: 'answer', text: JSON.stringify(SCHEMA, null, 2), strict: true },
  });
  expect(toModelSettings(ORDERS)).toEqual({ systemPrompt: 'Use the tools.', tools: JSON.stringify([TOOL], null, 2) });
  expect(toModelSettings(null)).toEqual({});
});

describe('models that are opened', () => {
  it('bring their settings; single questions are sent alone', () => {
    const desk = open(toDesk('triage'));
    expect(desk.shared).toEqual(toModelSettings(TRIAGE));
    expect(desk.isAlone).toBe(true);
    expect(open(toDesk('orders')).isAlone).toBe(undefined);
  });

  it('start empty without examples', () => {
    expect(open(toDesk('unknown'))).toEqual(toDesk('unknown'));
  });

  it('share the settings of the first with a base model, and keep those of another task to themselves', () => {
    const desk = open(toDesk('triage', 'base', 'orders'));
    expect(desk.panes[1]?.own).toEqual({});
    expect(settingsOf(desk, 1)).toEqual(toModelSettings(TRIAGE));
    expect(settingsOf(desk, 2)).toEqual(toModelSettings(ORDERS));
    expect(desk.shared).toEqual(toModelSettings(TRIAGE));
  });

  it('change nothing that a person wrote meanwhile', () => {
    const typed = { ...toDesk('triage', 'orders'), shared: { systemPrompt: 'Mine.' } };
    expect(open(toDesk('triage', 'orders'), typed)).toBe(typed);
    expect(open(typed)).not.toBe(typed);
    const sent = withDraft(TURNS, toDesk('triage'));
    expect(open(sent)).toBe(sent);
  });
});

it('settings that a person gave a later pane while it was opened stay', () => {
  const start = open(toDesk('triage'));
  const added = { ...start, panes: [...start.panes, toPane('p1', 'orders')] };
  expect(settingsOf(open(added), 1)).toEqual(toModelSettings(ORDERS));
  const edited = changeSettings(linkPane(added, 'p1', ['systemPrompt'], false), 'p1', { systemPrompt: 'Mine.' });
  expect(open(added, edited)).toBe(edited);
});

it('a later pane gets its own settings when those of the first came while it was opened', () => {
  const both = toDesk('triage', 'orders');
  const meanwhile = { ...both, shared: toModelSettings(TRIAGE) };
  expect(settingsOf(open(both, meanwhile), 1)).toEqual(toModelSettings(ORDERS));
});

it('a model without examples leaves open whether each message is sent alone', () => {
  const alone = { ...toDesk('unknown'), isAlone: true as const };
  expect(open(alone).isAlone).toBe(true);
  expect(giveModelSettings(alone, 'p0', null).isAlone).toBe(true);
  expect(giveModelSettings(alone, 'p0', ORDERS).isAlone).toBe(undefined);
});

describe('a model that is changed in its pane', () => {
  it('may replace what came with the former one, and nothing that was edited', () => {
    const desk = open(toDesk('triage'));
    expect(mayReplaceSettings(desk, desk.panes[0]!, TRIAGE)).toBe(true);
    const edited = { ...desk, shared: { ...desk.shared, systemPrompt: 'Mine.' } };
    expect(mayReplaceSettings(edited, edited.panes[0]!, TRIAGE)).toBe(false);
  });

  it('replaces nothing that another pane is compared under', () => {
    const desk = open(toDesk('triage', 'base'));
    expect(mayReplaceSettings(desk, desk.panes[1]!, TRIAGE)).toBe(false);
    const own = giveModelSettings(desk, 'p1', ORDERS);
    expect(mayReplaceSettings(own, own.panes[1]!, ORDERS)).toBe(true);
  });

  it('keeps sampling parameters and unsets what the new model does not have', () => {
    const desk = { ...open(toDesk('triage')), shared: { ...toModelSettings(TRIAGE), temperature: 0 } };
    const given = giveModelSettings(desk, 'p0', ORDERS);
    expect(given.shared).toEqual({ ...toModelSettings(ORDERS), temperature: 0 });
    expect(given.isAlone).toBe(undefined);
  });

  it('leaves the other panes as they are', () => {
    const desk = open(toDesk('triage', 'base'));
    const given = giveModelSettings(desk, 'p1', BASE);
    expect(given.shared).toBe(desk.shared);
    expect(isSameModelSettings(settingsOf(given, 1), toModelSettings(BASE))).toBe(true);
    expect(given.isAlone).toBe(true);
  });
});

describe('a desk', () => {
  it('is untouched with nothing but the settings of its models', () => {
    for (const models of [['triage'], ['triage', 'base', 'orders'], ['unknown'], []])
      expect(isUntouched(open(toDesk(...models)), find)).toBe(true);
  });

  it('is untouched with a prompt of its model’s examples', () => {
    const withPrompt = (model: string) => ({ ...(find(model) ?? NONE), prompts: ['An example'] });
    expect(isUntouched({ ...open(toDesk('triage')), draft: 'An example' }, withPrompt)).toBe(true);
    expect(isUntouched({ ...open(toDesk('triage')), draft: 'An example of mine' }, withPrompt)).toBe(false);
  });

  it.each<[string, Partial<Desk>]>([
    ['a draft', { draft: 'Hi' }],
    ['a title', { title: 'Mine' }],
    ['a parameter', { shared: { temperature: 1.8 } }],
    ['another system prompt', { shared: { systemPrompt: 'Mine.' } }],
    ['values', { values: { name: 'x' } }],
    ['messages in a closed pane', { parked: [{ ...toPane('c', 'triage'), turns: TURNS }] }],
  ])('is touched with %s', (_, more) => {
    expect(isUntouched({ ...open(toDesk('triage')), ...more }, find)).toBe(false);
  });
});

it('knows whose rows a schema was made from, until a person changes or turns it off', () => {
  const brought = toModelSettings(TRIAGE);
  expect(findSchemaSource({ ...brought, temperature: 0 }, [brought, {}])).toBe('own');
  expect(findSchemaSource(brought, [{}, brought])).toBe('first');
  expect(findSchemaSource(brought, [{}, {}])).toBeNull();
  expect(findSchemaSource({ ...brought, response_format: undefined }, [brought])).toBeNull();
  const schema = { name: 'answer', text: '{}', strict: true };
  expect(findSchemaSource({ ...brought, schema }, [brought])).toBeNull();
  expect(findSchemaSource({ response_format: 'json_schema' }, [{}, {}])).toBeNull();
});
