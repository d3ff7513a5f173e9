import { expect, it } from 'vitest';
import { toToastBottom } from './toastPlace.ts';

const composer = { top: 640, right: 1280, height: 160 };

it('puts toasts above the composer and a notice on it', () => {
  expect(toToastBottom([], 1280, 800)).toBe(144);
  expect(toToastBottom([composer], 1280, 800)).toBe(168);
  expect(toToastBottom([composer, { top: 590.5, right: 1280, height: 49.5 }], 1280, 800)).toBe(218);
});

it('looks only at what stands beneath the toasts', () => {
  expect(toToastBottom([composer, { top: 500, right: 900, height: 50 }], 1280, 800)).toBe(168);
  expect(toToastBottom([{ ...composer, height: 0 }], 1280, 800)).toBe(144);
  expect(toToastBottom([{ top: 20, right: 1280, height: 780 }], 1280, 800)).toBe(144);
});
