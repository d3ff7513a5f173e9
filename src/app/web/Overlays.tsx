import { Suspense, useEffect } from 'react';
import { watchFocus } from '#ui/lazy/focusTrail.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { TooltipLayer } from '#ui/kit/TooltipLayer.tsx';
import { loadLateOverlay } from './loadDeferredCode.ts';
import { useUpdateNotice } from './useUpdateNotice.ts';

const DeferredOverlay = toLazyPopup(loadLateOverlay);

const stay = (): void => undefined;

/** Everything that floats above the page; mounted once. Commands that come before the late part wait for it. */
export function Overlays() {
  useUpdateNotice();
  // From the start: a dialog asks for what had the focus before its code came.
  useEffect(watchFocus, []);
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
      <Suspense>
        <DeferredOverlay onClose={stay} />
      </Suspense>
    </>
  );
}
