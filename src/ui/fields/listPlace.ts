// Positions the list of a field: below it, or above if there is more room. Pure; all in viewport pixels.
import type { Box } from '#ui/kit/tooltipPlace.ts';

export interface ListPlace {
  readonly left: number;
  /** Distance to the viewport's upper edge (list below the field), else to its lower edge (list above). */
  readonly top: number | null;
  readonly bottom: number | null;
  readonly maxHeight: number;
}

const GAP = 4;
const MARGIN = 8;
const MOST = 352;

/** `list` is its natural size. The list may get less height, and then scrolls. */
export function toListPlace(
  field: Box,
  list: { readonly width: number; readonly height: number },
  viewport: { readonly width: number; readonly height: number },
): ListPlace {
  const below = viewport.height - (field.top + field.height) - GAP - MARGIN;
  const above = field.top - GAP - MARGIN;
  const isBelow = below >= Math.min(list.height, MOST) || below >= above;
  return {
    left: Math.max(MARGIN, Math.min(field.left, viewport.width - list.width - MARGIN)),
    top: isBelow ? field.top + field.height + GAP : null,
    bottom: isBelow ? null : viewport.height - field.top + GAP,
    maxHeight: Math.max(0, Math.min(MOST, isBelow ? below : above)),
  };
}
