// Where a tooltip goes: under its element, or above where there is no room. Pure; all in viewport pixels.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 6;
const MARGIN = 8;

/** The bubble's corner; it never leaves the viewport sideways. */
export function toTooltipPlace(
  anchor: Box,
  bubble: { readonly width: number; readonly height: number },
  viewport: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number } {
  const below = anchor.top + anchor.height + GAP;
  const above = anchor.top - GAP - bubble.height;
  const fitsBelow = below + bubble.height + MARGIN <= viewport.height;
  const centred = anchor.left + anchor.width / 2 - bubble.width / 2;
  const rightmost = viewport.width - bubble.width - MARGIN;
  return {
    left: Math.round(Math.max(MARGIN, Math.min(centred, rightmost))),
    top: Math.round(fitsBelow || above < MARGIN ? below : above),
  };
}
