import { expect, it } from 'vitest';
import { EMPTY_DESK, toPane } from './desk';
import { panePromptKey, toPromptKey } from './promptKey';

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
