// happy-dom's window, with Node's own network: requests of a part are real ones.
import { builtinEnvironments, type Environment } from 'vitest/runtime';
import type { StartedStudio, StartOptions } from '../startStudio.ts';
import { runPage } from './builtPage.ts';
import { PageWorker } from './pageWorker.ts';

const NETWORK = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
] as const;

const FOCUSABLE = ['input', 'textarea', 'select', 'button', '[href]', '[tabindex="0"]'].map(
  (selector) => `${selector}:not([disabled])`,
);

/**
 * A browser moves the focus into a modal dialog that opens, and back when it closes, before it says that it has closed.
 * That all around an open one is inert is not imitated.
 */
function giveDialogsFocus({ prototype }: { prototype: HTMLDialogElement }): void {
  const { showModal } = prototype;
  const before = new WeakMap<HTMLDialogElement, Element | null>();
  prototype.showModal = function show() {
    before.set(this, this.ownerDocument.activeElement);
    showModal.call(this);
    if (!this.contains(this.ownerDocument.activeElement))
      (this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector<HTMLElement>(FOCUSABLE.join()))?.focus();
  };
  prototype.close = function end() {
    if (!this.open) return;
    this.open = false;
    (before.get(this) as HTMLElement | null | undefined)?.focus();
    before.delete(this);
    setTimeout(() => this.dispatchEvent(new Event('close')));
  };
}

/** Its code is read when it is asked for: most parts need no studio, and with it comes the bundler. */
async function startStudio(options?: StartOptions): Promise<StartedStudio> {
  const { buildDashboard, startStudio: start } = await import('../startStudio.ts');
  // Workers that begin together would each build it.
  await buildDashboard();
  return start(options);
}

const environment: Environment = {
  ...builtinEnvironments['happy-dom'],
  name: 'part',
  async setup(global: Record<string, unknown>, options) {
    const own = Object.fromEntries(NETWORK.map((name) => [name, global[name]]));
    const opened = await builtinEnvironments['happy-dom'].setup(global, options);
    Object.assign(global, own, { Worker: PageWorker, runPartPage: runPage, startStudio });
    // Whether it lies above the rest is a matter of painting.
    const { prototype } = global['HTMLElement'] as { prototype: object };
    Object.assign(prototype, { showPopover: () => undefined, hidePopover: () => undefined });
    // Nothing is laid out. Lists that draw only what is in sight would draw nothing: what scrolls has room for some, and
    // so has the tree's place.
    const ROOM = '.overflow-auto, .overflow-y-auto, .overflow-x-auto, [aria-label="Tree"] > .flex-1';
    for (const [name, size] of Object.entries({
      clientHeight: 800,
      clientWidth: 1200,
      offsetHeight: 800,
      offsetWidth: 1200,
    }))
      Object.defineProperty(prototype, name, {
        get(this: HTMLElement) {
          return this.matches(ROOM) ? size : 0;
        },
      });
    giveDialogsFocus(global['HTMLDialogElement'] as { prototype: HTMLDialogElement });
    // No style sheet is loaded. Computing styles that none sets took a sixth of the time: each look by role asks for many.
    const closed = (global['document'] as Document).createElement('dialog').style;
    closed.display = 'none';
    const toStyle = (element: HTMLElement): CSSStyleDeclaration =>
      element.localName === 'dialog' && !element.hasAttribute('open') ? closed : element.style;
    Object.assign(global['window'] as object, { getComputedStyle: toStyle });
    global['getComputedStyle'] = toStyle;
    return {
      async teardown(closed: Record<string, unknown>) {
        await opened.teardown(closed);
        // Code of the last test may still run for a moment: a page that has gone shows no frames.
        closed['requestAnimationFrame'] = () => 0;
      },
    };
  },
};

export default environment;
