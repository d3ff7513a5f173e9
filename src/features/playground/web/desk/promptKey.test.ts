import { expect, it } from 'vitest';
import { EMPTY_DESK, toPane } from './desk.ts';
import type { Settings } from './settings.ts';
import { panePromptKey, paneSchemaKey, toPromptKey } from './promptKey.ts';

it('tells prompts apart', () => {
  const texts = ['', ' ', 'Be brief.', 'Be brief', 'be brief.', 'Be brief.Be brief.', 'Bf erie.b'];
  expect(new Set(texts.map(toPromptKey)).size).toBe(texts.length);
});

it('is that of the filled prompt, shared or own', () => {
  const desk = { ...EMPTY_DESK, shared: { systemPrompt: 'Answer in {{language}}.' } };
  const pane = toPane('p', 'm');
  expect(panePromptKey({ ...desk, values: { language: 'French' } }, pane)).toBe(toPromptKey('Answer in French.'));
  expect(panePromptKey({ ...desk, values: { language: 'German' } }, pane)).toBe(toPromptKey('Answer in German.'));
  expect(panePromptKey(desk, { ...pane, own: { systemPrompt: 'Mine.' } })).toBe(toPromptKey('Mine.'));
  expect(panePromptKey(EMPTY_DESK, pane)).toBe(toPromptKey(''));
  expect(panePromptKey({ ...EMPTY_DESK, shared: { systemPrompt: ' \n' } }, pane)).toBe(toPromptKey(''));
});

it('of a schema counts what it says, sent or only checked against, and not how it is laid out', () => {
  const keyOf = (settings: Settings): string => paneSchemaKey({ ...EMPTY_DESK, shared: settings }, toPane('p', 'm'));
  const schema = (text: string, check = false) => ({ name: '', text, strict: true, check });
  const sent = (text: string): Settings => ({ response_format: 'json_schema', schema: schema(text) });
  expect(keyOf(sent('{"type":"object"}'))).toBe(keyOf(sent('{\n  "type": "object"\n}\n')));
  expect(keyOf(sent('{"type":"object"}'))).toBe(keyOf({ schema: schema('{ "type": "object" }', true) }));
  const others = [
    keyOf({}),
    keyOf(sent('{"type":"object"}')),
    keyOf(sent('{"type":"array"}')),
    keyOf(sent('{"type":')),
  ];
  expect(new Set(others).size).toBe(others.length);
  for (const none of [sent(''), sent(' '), { schema: schema('{"type":"object"}') }])
    expect(keyOf(none)).toBe(keyOf({}));
});
