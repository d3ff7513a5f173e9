// `expect` of Playwright, which waits for an element to appear without describing the page meanwhile.
import { expect as describing, type Locator } from '@playwright/test';

/** Milliseconds that a matcher waits, unless it says otherwise. */
export const PATIENCE = 20_000;

interface Waiting {
  readonly timeout?: number;
}

type Matcher = (...rest: readonly unknown[]) => Promise<void>;

/** These hold without an element, or of any number of them; Playwright describes no page for them. */
const WITHOUT_ELEMENT = new Set(['toBeHidden', 'toHaveCount']);

const isLocator = (value: unknown): value is Locator =>
  typeof value === 'object' && value !== null && 'waitFor' in value;

/** Whether the element is there in time. Several elements, or a closed page, are a no: the matcher says why. */
async function appears(locator: Locator, state: 'attached' | 'visible', timeout = PATIENCE): Promise<boolean> {
  try {
    await locator.waitFor({ state, timeout });
    return true;
  } catch {
    return false;
  }
}

/**
 * Each attempt of a Playwright matcher that finds no element writes the accessibility tree of the whole page, for a
 * message that the last attempt alone shows. Attempts come after 0, 20, 50, 100, 100 and each further 500 ms, most of
 * them while a page loads. Looking for the element first costs a look for it alone. A matcher that is in vain says so
 * in Playwright's own words; what begins with `.not` is Playwright's.
 */
export const expect = new Proxy(describing, {
  apply(target, self, args: Parameters<typeof describing>) {
    const matchers: object = Reflect.apply(target, self, args);
    const [locator] = args as readonly unknown[];
    if (!isLocator(locator)) return matchers;
    return new Proxy(matchers, {
      get(made, name) {
        const matcher = Reflect.get(made, name) as Matcher;
        if (typeof name === 'symbol' || !name.startsWith('to') || WITHOUT_ELEMENT.has(name)) return matcher;
        if (name === 'toBeVisible')
          return async (options: Waiting = {}) => {
            if (!(await appears(locator, 'visible', options.timeout))) await matcher({ ...options, timeout: 1 });
          };
        return async (...rest: readonly unknown[]) => {
          const options = rest.at(-1) as Waiting | undefined;
          await appears(locator, 'attached', options?.timeout);
          await matcher(...rest);
        };
      },
    });
  },
});
