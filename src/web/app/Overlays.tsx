import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { TooltipLayer } from '#web/ui/TooltipLayer.tsx';
import { useUpdateNotice } from './useUpdateNotice.ts';

/** What floats above everything; once per page. */
export function Overlays() {
  useUpdateNotice();
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
    </>
  );
}
