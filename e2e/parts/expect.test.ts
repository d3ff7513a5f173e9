// What `not` says of elements that are missing, or too many.
import { test, vi } from 'vitest';
import { expect } from './expect.ts';
import { Locator } from './locate.ts';

const page = new Locator(() => [document.body]);
const button = page.locator('button');
const toRound = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  toBeDisabled: () => expect(button).not.toBeDisabled(),
  toBeFocused: () => expect(button).not.toBeFocused(),
  toHaveText: () => expect(button).not.toHaveText('Stop'),
  toContainText: () => expect(button).not.toContainText('Stop'),
  toHaveValue: () => expect(button).not.toHaveValue('Stop'),
  toHaveAttribute: () => expect(button).not.toHaveAttribute('title', 'Stop'),
  toHaveAccessibleDescription: () => expect(button).not.toHaveAccessibleDescription('Stop'),
};

for (const [name, check] of Object.entries(CHECKS))
  for (const { found, html } of [
    { found: 'nothing', html: '' },
    { found: 'two elements', html: '<button>Run</button><button>Run</button>' },
  ])
    test(`not.${name} waits while ${found} can be found`, async () => {
      document.body.innerHTML = html;
      const onPass = vi.fn<() => void>();
      const passing = check().then(onPass);
      await toRound();
      expect(onPass).not.toHaveBeenCalled();
      document.body.innerHTML = '<button>Run</button>';
      await passing;
    });

test('what is not there is neither visible nor counted', async () => {
  document.body.innerHTML = '';
  await expect(button).not.toBeVisible();
  await expect(button).not.toHaveCount(1);
  await expect(button).toBeHidden();
});
