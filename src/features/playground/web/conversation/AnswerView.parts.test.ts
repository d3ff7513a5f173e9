// The parts of an answer besides its text.
import { createElement, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { AnswerStatsRow } from './AnswerStatsRow.tsx';
import { MessageView } from './MessageView.tsx';
import { ToolCallView } from './ToolCallView.tsx';
import { toPendingAnswer, type Answer } from '#features/playground/web/desk/desk.ts';

const toText = (element: ReactElement): string =>
  renderToStaticMarkup(element)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const figures = (more: Partial<Answer>): string =>
  toText(createElement(AnswerStatsRow, { answer: { ...toPendingAnswer('a', 'm', 0), ...more } }));

describe('figures', () => {
  const timing = { firstMs: 200, textMs: 200, endMs: 2200 };
  const usage = { prompt_tokens: 38, completion_tokens: 124, total_tokens: null };

  it('are complete if all is known', () => {
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
  const toHtml = (args: string, isComplete: boolean, children?: ReactNode) =>
    renderToStaticMarkup(
      createElement(
        ToolCallView,
        { call: { id: 'call-1', name: 'find', arguments: args }, isComplete, tools: '' },
        children,
      ),
    );

  it('are shown as they arrive; an incomplete call is marked and can’t be copied', () => {
    const html = toHtml('{"q":"<b>', false);
    expect(html).toContain('{&quot;q&quot;:&quot;&lt;b&gt;</pre>');
    expect(html).toContain('incomplete');
    expect(html).not.toContain('Copy arguments');
  });

  it('are formatted and can be copied once they are complete', () => {
    const html = toHtml('{"q":12345678901234567890}', true);
    expect(html).toContain('{\n  &quot;q&quot;: 12345678901234567890\n}</pre>');
    expect(html).toContain('aria-label="Copy arguments"');
    expect(html).not.toContain('incomplete');
  });

  it('that are complete but not JSON stay as they are', () =>
    expect(toHtml('{"q":  1', true)).toContain('{&quot;q&quot;:  1</pre>'));
  it('hold the form for their result', () => expect(toHtml('{}', true, 'Its form')).toContain('Its form</li>'));
});

it('shows a message as it was typed: no markdown, no markup', () => {
  const html = renderToStaticMarkup(createElement(MessageView, { author: 'you', text: '**a**\n<img src=x>' }));
  expect(html).toContain('**a**\n&lt;img src=x&gt;');
  expect(html).not.toContain('<img');
});
