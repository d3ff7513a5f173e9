import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { TooltipLayer } from '#web/ui/TooltipLayer.tsx';
import { useUpdateNotice } from './useUpdateNotice.ts';

/** Everything that floats above the page; mounted once. */
export function Overlays() {
  useUpdateNotice();
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
    </>
  );
}
