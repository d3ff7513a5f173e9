// happy-dom's window, with Node's own network: requests of a part are real ones.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

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
    Object.assign(global, own);
    // Whether it lies above the rest is a matter of painting.
    const { prototype } = global['HTMLElement'] as { prototype: object };
    Object.assign(prototype, { showPopover: () => undefined, hidePopover: () => undefined });
    // No style sheet is loaded. Computing styles that none sets took a sixth of the time: each look by role asks for many.
    const toStyle = ({ style }: HTMLElement): CSSStyleDeclaration => style;
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
