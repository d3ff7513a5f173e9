import { ToastRegion } from '../ui/ToastRegion';
import { TooltipLayer } from '../ui/TooltipLayer';

/** What floats above everything; once per page. */
export function Overlays() {
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
    </>
  );
}
