// Toasts of the page, beside a dialog that has its own.
import { expect, it } from 'vitest';
import { openToastPlace } from '#ui/kit/toastPlace.ts';

const REGION = '<div role="log" aria-label="Messages"></div>';

it.each([
  ['with messages of its own', REGION, 'hidden'],
  ['without messages', '<p>Delete it?</p>', ''],
])('are seen once: beside a dialog %s', (_name, inDialog, visibility) => {
  document.body.innerHTML = `${REGION}<dialog>${inDialog}</dialog>`;
  const dialog = document.querySelector('dialog')!;
  const own = document.querySelector<HTMLElement>('body > [role=log]')!;
  const place = openToastPlace(own);
  place();
  expect(own.style.visibility).toBe('');
  dialog.setAttribute('open', '');
  place();
  expect(own.style.visibility).toBe(visibility);
  const inner = dialog.querySelector<HTMLElement>('[role=log]');
  if (inner) {
    openToastPlace(inner)();
    expect(inner.style.visibility).toBe('');
  }
  dialog.removeAttribute('open');
  place();
  expect(own.style.visibility).toBe('');
});
