// Finds elements of a mounted part as the browser tests find them in a page: by role, name and text, anew each time.
import { isInaccessible, queryAllByRole } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';

export interface Naming {
  readonly name?: string | RegExp;
  /** The whole text, with its case. */
  readonly exact?: boolean;
  readonly checked?: boolean;
  readonly selected?: boolean;
}

/** How long something may take before it counts as missing: on a busy machine its code alone may take long to load. */
export const PATIENCE = { timeout: 60_000, interval: 50 } as const;

const NOT_YET = new Error('It is not yet so.');

/** Waits until `find` gives something. Why it gave nothing is asked once, at the end: describing takes longer. */
export async function waitUntil<Found>(find: () => Found | null, describe: () => string): Promise<Found> {
  try {
    return await vi.waitFor(() => {
      const found = find();
      if (found === null) throw NOT_YET;
      return found;
    }, PATIENCE);
  } catch (error) {
    throw error === NOT_YET ? new Error(describe(), { cause: error }) : error;
  }
}

export const toPlain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();

function isLike(text: string, wanted: string | RegExp, isExact = false): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  return isExact ? text === toPlain(wanted) : text.toLowerCase().includes(toPlain(wanted).toLowerCase());
}

export const isShown = (element: Element): boolean => element.isConnected && !isInaccessible(element);

export const isOff = (element: Element): boolean =>
  ('disabled' in element && element.disabled === true) || element.getAttribute('aria-disabled') === 'true';

/** The innermost elements below `parent` that have a text, in their order. */
function findByText(parent: Element, text: string | RegExp, isExact?: boolean): readonly HTMLElement[] {
  const has = (element: Element): boolean => isLike(toPlain(element.textContent), text, isExact);
  // Reading the texts of a whole page takes long. What does not hold a string has nothing inside that does.
  const mayHold = (element: Element): boolean => text instanceof RegExp || isLike(toPlain(element.textContent), text);
  const found: HTMLElement[] = [];
  for (const child of parent.children) {
    if (!mayHold(child)) continue;
    if (has(child) && ![...child.children].some(has)) found.push(child as HTMLElement);
    found.push(...findByText(child, text, isExact));
  }
  return found;
}

const user = userEvent.setup({ pointerEventsCheck: 0, delay: null });

/** What finds elements. It holds none: each use looks again. */
export class Locator {
  readonly find: () => readonly HTMLElement[];

  constructor(find: () => readonly HTMLElement[]) {
    this.find = find;
  }

  getByRole(role: string, { name, exact, checked, selected }: Naming = {}): Locator {
    const options = {
      ...(checked === undefined ? {} : { checked }),
      ...(selected === undefined ? {} : { selected }),
      ...(name === undefined ? {} : { name: (found: string) => isLike(toPlain(found), name, exact) }),
    };
    // A cell without a role of its own is taken for one of a table, in a grid too.
    const roles = role === 'gridcell' ? [role, 'cell'] : [role];
    return this.within((element) => roles.flatMap((each) => queryAllByRole(element, each, options)));
  }

  /** The innermost elements that have the text. */
  getByText(text: string | RegExp, { exact }: Naming = {}): Locator {
    return this.within((element) => findByText(element, text, exact));
  }

  locator(selector: string): Locator {
    return this.within((element) => [...element.querySelectorAll<HTMLElement>(selector)]);
  }

  filter({ hasText }: { readonly hasText: string | RegExp }): Locator {
    return this.where((element) => isLike(toPlain(element.textContent), hasText));
  }

  or(other: Locator): Locator {
    return new Locator(() => [...this.find(), ...other.find()]);
  }

  nth(place: number): Locator {
    return new Locator(() => this.find().slice(place, place === -1 ? undefined : place + 1));
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return this.nth(-1);
  }

  /** The one element, as soon as it is there. */
  one(isUsed = false): Promise<HTMLElement> {
    const findOne = (): HTMLElement | string => {
      const [found, ...more] = this.find();
      if (!found) return 'Nothing is found.';
      if (more.length > 0) return `${more.length + 1} elements are found.`;
      if (!isUsed) return found;
      if (!isShown(found)) return 'It is hidden.';
      if (!isOff(found)) return found;
      return `It is disabled: ${document.getElementById(found.getAttribute('aria-describedby') ?? '')?.textContent ?? ''}`;
    };
    return waitUntil(
      () => {
        const found = findOne();
        return typeof found === 'string' ? null : found;
      },
      () => String(findOne()),
    );
  }

  count(): number {
    return this.find().length;
  }

  async inputValue(): Promise<string> {
    return ((await this.one()) as HTMLInputElement).value;
  }

  async textContent(): Promise<string> {
    return (await this.one()).textContent ?? '';
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.one()).getAttribute(name);
  }

  texts(): readonly string[] {
    return this.find().map((element) => toPlain(element.textContent));
  }

  async click(): Promise<void> {
    await user.click(await this.one(true));
  }

  /** Asks for the menu, as the right button of a mouse does. */
  async openMenu(): Promise<void> {
    await user.pointer({ keys: '[MouseRight]', target: await this.one(true) });
  }

  async hover(): Promise<void> {
    await user.hover(await this.one(true));
  }

  async focus(): Promise<void> {
    (await this.one()).focus();
  }

  async blur(): Promise<void> {
    (await this.one()).blur();
  }

  /** Replaces the text, as pasting over all of it does. */
  async fill(text: string): Promise<void> {
    const field = (await this.one(true)) as HTMLInputElement;
    field.focus();
    const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    // React keeps a setter of its own on the element, and would take this for its own change.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Gives a field for files one file, as choosing it does. */
  async setInputFile(name: string, text: string): Promise<void> {
    await user.upload(await this.one(), new File([text], name, { type: 'application/json' }));
  }

  /** Keys by their names: `Enter`, `Control+Enter`. */
  async press(keys: string): Promise<void> {
    await this.focus();
    await pressKeys(keys);
  }

  async selectOption(label: string): Promise<void> {
    const box = (await this.one(true)) as HTMLSelectElement;
    const option = await waitUntil(
      () => [...box.options].find(({ text, value }) => toPlain(text) === label || value === label) ?? null,
      () => `There is no option ${label}.`,
    );
    await user.selectOptions(box, option);
  }

  private where(isWanted: (element: HTMLElement) => boolean): Locator {
    return new Locator(() => this.find().filter(isWanted));
  }

  private within(find: (element: HTMLElement) => readonly HTMLElement[]): Locator {
    return new Locator(() => [...new Set(this.find().flatMap(find))]);
  }
}

export async function pressKeys(keys: string): Promise<void> {
  const held = keys.split('+');
  const last = held.pop() ?? '';
  const down = held.map((name) => `{${name}>}`).join('');
  const up = held.map((name) => `{/${name}}`).join('');
  const pressed: Event[] = [];
  const note = (event: Event): void => void pressed.push(event);
  window.addEventListener('keydown', note, { capture: true });
  await user.keyboard(`${down}{${last}}${up}`);
  window.removeEventListener('keydown', note, { capture: true });
  // A browser closes the dialog on top; happy-dom does not.
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  if (last !== 'Escape' || !dialog || pressed.some(({ defaultPrevented }) => defaultPrevented)) return;
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  dialog.close();
  await closed;
}

/** Types a text where the focus is. */
export const typeText = (text: string): Promise<void> => user.keyboard(text.replaceAll(/[{[]/g, '$&$&'));
