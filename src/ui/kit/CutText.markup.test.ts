import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CutText } from './CutText.tsx';

const render = (text: string): string => renderToStaticMarkup(createElement(CutText, { text }));
/** The part that gives way, and the end that stays. */
const partsOf = (text: string): readonly string[] =>
  [...render(text).matchAll(/>([^<>]+)</g)].map(([, part = '']) => part);

it.each([
  ['qwen2.5-0.5b-instruct-lora-r16-lr1e-4-seed3', 'qwen2.5-0.5b-instruct-lora-r16-', 'lr1e-4-seed3'],
  ['Experiment 2 · LoRA · Ticket triage', 'Experiment 2 · LoRA ', '· Ticket triage'],
  ['a'.repeat(20) + 'b'.repeat(12), 'a'.repeat(20), 'b'.repeat(12)],
  ['a'.repeat(20) + '😀'.repeat(6) + 'b', 'a'.repeat(20), '😀'.repeat(6) + 'b'],
])('of %s the end stays', (text, start, end) => expect(partsOf(text)).toEqual([start, end]));

it('a short name is itself', () => expect(render('Experiment 1 · LoRA')).toBe('Experiment 1 · LoRA'));
