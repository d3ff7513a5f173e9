// Sessions that begin with a message of another one.
import { test } from 'vitest';
import { expect } from './expect.ts';
import { keepPart } from './openPart.tsx';
import { choose, expectEnded, toPane } from './steps.ts';

const open = keepPart();

test('a message forks into a session of its own, also where there is no room for a pane', async () => {
  const page = await open(`/?models=${Array.from({ length: 8 }, () => 'echo').join()}`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Once');
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Run here only');
  await expectEnded(toPane(page, 1));
  await choose(toPane(page, 1).getByRole('button', { name: 'More for this answer' }), 'Fork into a new session');
  await expect(toPane(page, 2)).toBeHidden();
  await expect(toPane(page, 1).getByText('You wrote: Once')).toBeVisible();
  await expect.poll(() => location.search).toMatch(/models=echo($|&)/);
});
