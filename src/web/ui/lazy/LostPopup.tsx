import { useEffect } from 'react';
import { showLost } from './lostCode.ts';

interface LostPopupProps {
  onClose: () => void;
}

/** In the place of a menu or dialog whose code did not arrive: says so, and counts as closed. */
export function LostPopup({ onClose }: LostPopupProps) {
  useEffect(() => {
    showLost();
    onClose();
  }, [onClose]);
  return null;
}
