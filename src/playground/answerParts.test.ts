// What is said about an answer besides its text, as the components say it.
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '../stream/message';
import { AnswerStatsRow } from './AnswerStatsRow';
import { MessageView } from './MessageView';
import { ToolCalls } from './ToolCalls';
import { toPendingAnswer, type AnswerTurn } from './desk';

const toText = (element: ReactElement): string => renderToStaticMarkup(element).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();
const figures = (more: Partial<AnswerTurn>): string => toText(createElement(AnswerStatsRow, { turn: { ...toPendingAnswer('a', 'm', 0), ...more } }));

describe('figures', () => {
  const timing = { firstMs: 200, textMs: 200, endMs: 2200 };
  const usage = { prompt_tokens: 38, completion_tokens: 124, total_tokens: null };

  it('are all there where all is known', () => {
    const text = figures({ phase: 'done', timing, message: { ...EMPTY_MESSAGE, usage } });
    for (const part of ['TTFT', '61.5 tok/s', '38 → 124 tokens']) expect(text).toContain(part);
  });

  it('are left out where they are unknown: never 0, never guessed', () => {
    const text = figures({ phase: 'done', timing, message: { ...EMPTY_MESSAGE, text: 'word '.repeat(500) } });
    expect(text).toContain('usage unknown');
    expect(text).not.toMatch(/tok\/s|\b0 tokens/);
    expect(figures({ phase: 'sending' })).toBe('');
  });
});

describe('tool calls', () => {
  const calls = [{ id: 'call-1', name: 'find', arguments: '{"q":"<b>' }];

  it('are shown as they came; half a call says so and can not be copied', () => {
    const html = renderToStaticMarkup(createElement(ToolCalls, { calls, isComplete: false }));
    expect(html).toContain('{&quot;q&quot;:&quot;&lt;b&gt;</pre>');
    expect(html).toContain('incomplete');
    expect(html).not.toContain('Copy arguments');
  });

  it('can be copied once they are whole', () => {
    const html = renderToStaticMarkup(createElement(ToolCalls, { calls, isComplete: true }));
    expect(html).toContain('aria-label="Copy arguments"');
    expect(html).not.toContain('incomplete');
  });
});

it('shows a message as it was typed: no markdown, no markup', () => {
  const html = renderToStaticMarkup(createElement(MessageView, { author: 'you', text: '**a**\n<img src=x>' }));
  expect(html).toContain('**a**\n&lt;img src=x&gt;');
  expect(html).not.toContain('<img');
});
