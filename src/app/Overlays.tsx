import { ToastRegion } from '../ui/ToastRegion';
import { TooltipLayer } from '../ui/TooltipLayer';
import { useUpdateNotice } from './useUpdateNotice';

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
