import { expect, it } from 'vitest';
import { isRiskyPattern } from './riskyPattern.ts';

it.each([
  '^(a+)+$',
  '(a*)*',
  '(a|a)*',
  '(a|b|ab)+x',
  '((a+))+',
  '(?:\\w+\\s?)+$',
  '([a-z]+)*',
  '(x{2,})+',
  '(a+){5,}',
  '(a{1,9})*',
  '((a|b)c)+',
])('%s may take for ever', (pattern) => expect(isRiskyPattern(pattern)).toBe(true));

it.each([
  '',
  '^[a-z]+$',
  '^\\d{3}-\\d{4}$',
  '(abc)+',
  '([0-9]{3}-)+[0-9]{4}',
  'a|b',
  '(a|b)c',
  '(a+)?',
  '\\(a+\\)+',
  '[(a+)]+',
  '[\\]+(]+x*',
  '(a{3})*',
  '^(red|green)$',
  'a{',
  ')(',
  '(',
  '\\',
])('%s is fine', (pattern) => expect(isRiskyPattern(pattern)).toBe(false));
