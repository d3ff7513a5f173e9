// What opens above the page, with code that comes when it is first opened. Where the code does not arrive, it says so
// and closes itself.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { LostPopup } from './LostPopup.tsx';

export function toLatePopup<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => LostPopup) }));
}
