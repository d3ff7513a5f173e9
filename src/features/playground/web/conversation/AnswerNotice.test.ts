// The notices of answers that wait or failed.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { AnswerNotice } from './AnswerNotice.tsx';
import { toPendingAnswer, type Answer } from '#features/playground/web/desk/desk.ts';

function noticeOf(more: Partial<Answer>): string {
  const answer = { ...toPendingAnswer('a', 'm', Date.now()), ...more };
  return renderToStaticMarkup(createElement(AnswerNotice, { answer, paneId: 'p' }))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

it('distinguishes waiting for a connection from waiting for the first token', () => {
  expect(noticeOf({ phase: 'queued' })).toMatch(/^Waiting for a free connection · \d/);
  expect(noticeOf({ phase: 'sending' })).toMatch(/^Waiting for the first token · \d/);
});

it('names the field of the request that a failure is about', () => {
  const failure = {
    message: 'Too high.',
    hint: 'Lower it.',
    status: 400,
    code: 'out_of_range',
    param: 'temperature',
    requestId: 'r1',
  };
  const text = noticeOf({ phase: 'failed', failure });
  for (const part of ['status 400', 'Too high. (out_of_range) in temperature', 'Lower it. Request r1.'])
    expect(text).toContain(part);
  expect(noticeOf({ phase: 'failed', failure: { ...failure, param: null } })).not.toContain(' in ');
});
