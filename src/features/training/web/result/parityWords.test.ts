import { expect, it } from 'vitest';
import type { ExportParity } from '#core/contract/exportParity.ts';
import { toEqualText, toLostText, toParityLead, toRightText } from './parityWords.ts';

const FORMAT: ExportParity['formats'][number] = {
  format: 'F16',
  is_served: true,
  equal: 0.98,
  exact_match: 0.94,
  lost: 0.02,
  lost_from: -0.0312,
  lost_to: 0.07,
  is_refused: false,
  first_difference: null,
};
const toFormat = (part: object) => ({ ...FORMAT, ...part });
const toParity = (...formats: object[]): ExportParity => ({
  prompts: 50,
  exact_match: 0.96,
  formats: formats.map(toFormat),
});

it('a file is said with its counts, shares and what it lost', () => {
  expect(toEqualText(FORMAT, toParity({}))).toBe('98 % of 50 prompts');
  expect(toRightText(FORMAT, toParity({}))).toBe('94 %, 96 % before');
  expect(toLostText(FORMAT)).toBe('2 points (95 %: -3.1 to 7)');
  expect(toLostText({ ...FORMAT, lost: 0 })).toMatch(/^nothing/);
  expect(toLostText({ ...FORMAT, lost: -0.01 })).toMatch(/^gained 1 point /);
});

it('the whole says which files lost too much, and nothing better than it is', () => {
  expect(toParityLead(toParity({ equal: 1 }, { equal: 1 }))).toMatch(
    /^50 validation prompts .*All answers are equal\.$/,
  );
  expect(toParityLead(toParity({}, { equal: 1 }))).toMatch(/No file lost more than chance explains\.$/);
  expect(toParityLead(toParity({}, { format: 'Q8_0', is_refused: true }))).toMatch(/chance explains: Q8_0\.$/);
  expect(toParityLead(toParity())).toMatch(/No file could be tested\.$/);
});
