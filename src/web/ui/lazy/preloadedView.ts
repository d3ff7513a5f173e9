// A component whose code is fetched ahead of need: once it is there it renders at once, where React's `lazy` shows its
// fallback for a moment all the same.
import { createElement, memo, use, type ComponentType, type NamedExoticComponent } from 'react';

export interface PreloadedView<Props> {
  /** Suspends only where the code has not arrived. With the same props it is not rendered again. */
  readonly View: NamedExoticComponent<Props>;
  /** Never rejects: whoever renders it meets the failure, after another try. */
  readonly prefetch: () => Promise<void>;
}

/** `Lost` stands in its place where the code does not arrive; without it, whoever renders it catches the failure. */
export function toPreloadedView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Lost?: ComponentType<Props>,
): PreloadedView<Props> {
  type Loading = Promise<ComponentType<Props>>;
  let loading: Loading | null = null;
  const begin = (): Loading => {
    const started = Lost ? load().catch(() => Lost) : load();
    // React's own mark of a settled promise: `use` then gives the value at once.
    void started.then(
      (value) => Object.assign(started, { status: 'fulfilled', value }),
      () => undefined,
    );
    return started;
  };
  const get = (): Loading => (loading ??= begin());
  return {
    // React wants `use` at every render, or at none.
    View: memo((props: Props) => createElement(use(get()), props)),
    prefetch: async () => {
      const code = await get().catch(() => undefined);
      if (code === Lost) loading = null;
    },
  };
}
