import { expect, it } from 'vitest';
import { parseRetryAfter } from './retryAfter.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const inSeconds = (seconds: number): string => new Date(NOW + seconds * 1000).toUTCString();

it.each<[string, Record<string, string>, number | null]>([
  ['seconds', { 'retry-after': '2' }, 2000],
  ['seconds with a fraction', { 'retry-after': '0.5' }, 500],
  ['spaces around', { 'retry-after': ' 2 ' }, 2000],
  ['60 s, the most', { 'retry-after': '60' }, 60_000],
  ['above 60 s', { 'retry-after': '61' }, null],
  ['0', { 'retry-after': '0' }, null],
  ['less than nothing', { 'retry-after': '-5' }, null],
  ['an HTTP date', { 'retry-after': inSeconds(7) }, 7000],
  ['a date 60 s away', { 'retry-after': inSeconds(60) }, 60_000],
  ['a date further away', { 'retry-after': inSeconds(61) }, null],
  ['a date that is over', { 'retry-after': inSeconds(-1) }, null],
  ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  ['seconds where the milliseconds are above 60 s', { 'retry-after-ms': '60001', 'retry-after': '9' }, 9000],
  ['seconds where the milliseconds are not understood', { 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  ['a word', { 'retry-after': 'soon' }, null],
  ['another way to write a number', { 'retry-after': '1e1' }, null],
  ['nothing', {}, null],
])('reads %s', (_what, headers, expected) => {
  expect(parseRetryAfter(new Headers(headers), NOW)).toBe(expected);
});

it('gives longer waits to whom they are of use', () => {
  expect(parseRetryAfter(new Headers({ 'retry-after': '3600' }), NOW, Infinity)).toBe(3_600_000);
  expect(parseRetryAfter(new Headers({ 'retry-after': inSeconds(120) }), NOW, Infinity)).toBe(120_000);
  expect(parseRetryAfter(new Headers({ 'retry-after': '0' }), NOW, Infinity)).toBeNull();
});
