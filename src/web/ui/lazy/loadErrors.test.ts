import { expect, test } from 'vitest';
import { showLoadError, showUpdated } from './loadErrors.ts';
import { readToasts } from '#web/ui/toast.ts';

const texts = (): string[] => readToasts().map(({ text }) => text);

test('one message at a time, with a way to reload; after an update it names the update', () => {
  showLoadError();
  showLoadError();
  expect(texts()).toEqual([expect.stringMatching(/its code could not be loaded/)]);
  expect(readToasts()[0]?.action?.label).toBe('Reload');
  showUpdated();
  showLoadError();
  expect(texts()).toEqual(['The studio was updated. Reload the page.']);
});
