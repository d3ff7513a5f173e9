// A pop-up whose code loads when it first opens. If the code does not load, it says so and closes.
import { lazy, useEffect, type ComponentType, type LazyExoticComponent } from 'react';
import { showLoadError } from './loadErrors.ts';

interface LoadErrorPopupProps {
  onClose: () => void;
}

/** Replaces a menu or dialog whose code did not load: says so, and counts as closed. */
function LoadErrorPopup({ onClose }: LoadErrorPopupProps) {
  useEffect(() => {
    showLoadError();
    onClose();
  }, [onClose]);
  return null;
}

export function toLazyPopup<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => LoadErrorPopup) }));
}
