// Expectations: those of vitest, and those of what is found on a page, which wait until they hold.
import { expect as expectValue, type Assertion } from 'vitest';
import { isOff, isShown, Locator, PATIENCE, toPlain, waitUntil } from './locate.ts';

type Text = string | RegExp;

const isText = (text: string, wanted: Text): boolean =>
  wanted instanceof RegExp ? wanted.test(text) : text === toPlain(wanted);

function descriptionOf(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent);
  return toPlain(texts.length > 0 ? texts.join(' ') : element.getAttribute('title'));
}

/** Whether the one element is as wanted; null: it is not exactly one, so neither the check nor its `not` holds. */
const isOne = (locator: Locator, isWanted: (element: HTMLElement) => boolean): boolean | null => {
  const [found, ...more] = locator.find();
  return found === undefined || more.length > 0 ? null : isWanted(found);
};

const CHECKS = {
  /** What is not there is not visible. */
  toBeVisible: (locator: Locator) => locator.count() > 0 && isOne(locator, isShown),
  toBeHidden: (locator: Locator) => !locator.find().some(isShown),
  toBeDisabled: (locator: Locator) => isOne(locator, isOff),
  toBeFocused: (locator: Locator) => isOne(locator, (element) => element === document.activeElement),
  toHaveCount: (locator: Locator, count: number) => locator.count() === count,
  /** A list: of all that are found, in their order. */
  toHaveText: (locator: Locator, wanted: Text | readonly Text[]) =>
    Array.isArray(wanted)
      ? locator.count() === wanted.length && locator.texts().every((text, at) => isText(text, (wanted as Text[])[at]!))
      : isOne(locator, (element) => isText(toPlain(element.textContent), wanted as Text)),
  toContainText: (locator: Locator, wanted: Text) =>
    isOne(locator, ({ textContent }) =>
      wanted instanceof RegExp ? wanted.test(toPlain(textContent)) : toPlain(textContent).includes(toPlain(wanted)),
    ),
  toHaveValue: (locator: Locator, wanted: string) =>
    isOne(locator, (element) => (element as HTMLInputElement).value === wanted),
  toHaveAttribute: (locator: Locator, name: string, wanted: Text) =>
    isOne(locator, (element) => {
      const value = element.getAttribute(name);
      return value !== null && (wanted instanceof RegExp ? wanted.test(value) : value === wanted);
    }),
  toHaveAccessibleDescription: (locator: Locator, wanted: Text) =>
    isOne(locator, (element) => isText(descriptionOf(element), wanted)),
} as const;

type Check = keyof typeof CHECKS;
type Given<Name extends Check> = (typeof CHECKS)[Name] extends (
  locator: Locator,
  ...given: infer More
) => boolean | null
  ? More
  : never;
type Waiting = { readonly [Name in Check]: (...given: Given<Name>) => Promise<void> };

function toWaiting(locator: Locator, isWanted: boolean): Waiting {
  const entries = Object.entries(CHECKS) as unknown as [
    string,
    (locator: Locator, ...given: readonly unknown[]) => boolean | null,
  ][];
  return Object.fromEntries(
    entries.map(([name, check]) => [
      name,
      async (...given: readonly unknown[]) => {
        await waitUntil(
          () => (check(locator, ...given) === isWanted ? true : null),
          () => {
            const found = locator.find().map(({ outerHTML }) => outerHTML.slice(0, 300));
            return `${isWanted ? '' : 'not '}${name} ${given.map(String).join(', ')}: ${found.join('\n') || 'nothing'}`;
          },
        );
      },
    ]),
  ) as unknown as Waiting;
}

type Expectations = Waiting & { readonly not: Waiting };

function expectAny(value: unknown): unknown {
  if (!(value instanceof Locator)) return expectValue(value);
  return { ...toWaiting(value, true), not: toWaiting(value, false) };
}

export const expect = Object.assign(expectAny, {
  poll: ((read, options) => expectValue.poll(read, { ...PATIENCE, ...options })) as typeof expectValue.poll,
}) as { (found: Locator): Expectations; <Value>(value: Value): Assertion<Value>; poll: typeof expectValue.poll };
