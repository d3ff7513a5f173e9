import { expect, it } from 'vitest';
import { openDraw } from './draw.ts';
import { roughen } from './roughen.ts';

const TEXT = 'Could somebody send SO66172 to Lisbon, I am not at home and it does not work.';
const draw = openDraw(1);
const said = Array.from({ length: 400 }, () => roughen(draw, TEXT, ['SO66172', 'Lisbon']));

it('types as people do: contracted, mistyped, without capitals or a full stop, and sometimes as it was', () => {
  expect(said).toContain(TEXT);
  expect(said).toContain("Could somebody send SO66172 to Lisbon, I'm not at home and it doesn't work.");
  expect(said).toContain('could somebody send SO66172 to Lisbon, i am not at home and it does not work.');
  expect(said).toContain(TEXT.slice(0, -1));
  const words = new Set(TEXT.toLowerCase().split(/[ .,]+/));
  const mistyped = said.filter((text) =>
    text
      .toLowerCase()
      .split(/[ .,]+/)
      .some((word) => !words.has(word) && !/^(i'm|doesn't)$/.test(word)),
  );
  expect(mistyped.length / said.length).toBeGreaterThan(0.005);
  expect(mistyped.length / said.length).toBeLessThan(0.15);
});

it('leaves what is to be copied as it is', () => {
  for (const text of said) {
    expect(text).toContain('SO66172');
    expect(text).toContain('Lisbon');
  }
});
