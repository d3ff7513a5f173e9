import { expect, test } from 'vitest';
import { showLoadError, showUpdated } from './loadErrors.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';

/** Toasts that other tests left in this process are not about code. */
const shown = () => readToasts().filter(({ kind }) => kind === 'lost-code');

test('one message at a time, with a way to reload; after an update it names the update', () => {
  // Another file of the same worker may have left some.
  for (const toast of readToasts()) dismissToast(toast.id);
  showLoadError();
  showLoadError();
  expect(shown()).toMatchObject([
    { text: expect.stringMatching(/its code could not be loaded/) as string, action: { label: 'Reload' } },
  ]);
  showUpdated();
  showLoadError();
  expect(shown()).toMatchObject([{ text: 'The studio was updated. Reload the page.' }]);
});
