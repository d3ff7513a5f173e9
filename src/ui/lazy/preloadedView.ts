// A component with preloaded code. Once loaded, it renders at once, where React's `lazy` still shows its fallback for a
// moment.
import { createElement, memo, use, type ComponentType, type NamedExoticComponent } from 'react';

export interface PreloadedView<Props> {
  /** Suspends only until the code has loaded. The same props render it only once. */
  readonly View: NamedExoticComponent<Props>;
  /** Never rejects: the rendering component meets the failure, after another try. */
  readonly prefetch: () => Promise<void>;
}

/** `Lost` replaces it if the code does not load; without `Lost`, the rendering component catches the failure. */
export function toPreloadedView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Lost?: ComponentType<Props>,
): PreloadedView<Props> {
  type Loading = Promise<ComponentType<Props>>;
  let loading: Loading | null = null;
  const begin = (): Loading => {
    const started = Lost ? load().catch(() => Lost) : load();
    // React's mark of a settled promise: `use` then returns the value at once.
    void started.then(
      (value) => Object.assign(started, { status: 'fulfilled', value }),
      () => undefined,
    );
    return started;
  };
  const get = (): Loading => (loading ??= begin());
  return {
    // React requires `use` at every render, or at none.
    View: memo((props: Props) => createElement(use(get()), props)),
    prefetch: async () => {
      const code = await get().catch(() => undefined);
      if (code === Lost) loading = null;
    },
  };
}
