import { expect, it } from 'vitest';
import type { ChatParameters } from '../api/chatParameters';
import { toParameterSummary } from './parameterSummary';

it.each<[ChatParameters, string]>([
  [{}, 'all defaults'],
  [{ temperature: undefined, stop: [] }, 'all defaults'],
  // 0 is a value, not "unset".
  [{ temperature: 0, top_p: 0, frequency_penalty: 0, presence_penalty: 0, seed: 0 }, 'Temperature 0 · Top P 0 · Frequency penalty 0 · Presence penalty 0 · seed 0'],
  [{ seed: 7, temperature: 0.2 }, 'Temperature 0.2 · seed 7'],
  [{ max_completion_tokens: 64, stop: ['a'] }, 'max 64 tokens · 1 stop sequence'],
  [{ stop: ['a', 'b, c'] }, '2 stop sequences'],
])('%j is %j', (parameters, expected) => expect(toParameterSummary(parameters)).toBe(expected));
