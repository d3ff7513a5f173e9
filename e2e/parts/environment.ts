// happy-dom's window, with Node's own network: requests of a part are real ones.
import { builtinEnvironments, type Environment } from 'vitest/runtime';
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

const environment: Environment = {
  ...builtinEnvironments['happy-dom'],
  name: 'part',
  async setup(global: Record<string, unknown>, options) {
    const own = Object.fromEntries(NETWORK.map((name) => [name, global[name]]));
    const opened = await builtinEnvironments['happy-dom'].setup(global, options);
    Object.assign(global, own, { Worker: PageWorker, runPartPage: runPage });
    // Whether it lies above the rest is a matter of painting.
    const { prototype } = global['HTMLElement'] as { prototype: object };
    Object.assign(prototype, { showPopover: () => undefined, hidePopover: () => undefined });
    // Nothing is laid out. Lists that draw only what is in sight would draw nothing: what scrolls has room for some.
    Object.defineProperty(prototype, 'clientHeight', {
      get(this: HTMLElement) {
        return this.matches('.overflow-auto, .overflow-y-auto') ? 800 : 0;
      },
    });
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
