import { expect, it } from 'vitest';
import { watchPageLeaving } from './leaving.ts';

it('knows that the page is about to go, and that it stayed after all', () => {
  const page = new EventTarget();
  let [time, gone] = [0, 0];
  const { isLeaving, close } = watchPageLeaving(
    page,
    () => void (gone += 1),
    () => time,
  );
  expect(isLeaving()).toBe(false);
  page.dispatchEvent(new Event('beforeunload'));
  expect([isLeaving(), gone]).toEqual([true, 0]);
  time = 30_000;
  expect(isLeaving()).toBe(false);
  page.dispatchEvent(new Event('pagehide'));
  expect([isLeaving(), gone]).toEqual([true, 1]);
  close();
  page.dispatchEvent(new Event('pagehide'));
  expect(gone).toBe(1);
});
