// What opens above the page, with code that comes when it is first opened. Where the code does not arrive, it says so
// and closes itself.
import { lazy, useEffect, type ComponentType, type LazyExoticComponent } from 'react';
import { showLoadError } from './loadErrors.ts';

interface LoadErrorPopupProps {
  onClose: () => void;
}

/** In the place of a menu or dialog whose code did not arrive: says so, and counts as closed. */
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
