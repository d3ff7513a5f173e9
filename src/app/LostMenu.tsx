import { useEffect } from 'react';
import { showLost } from '../ui/lostCode';

interface LostMenuProps {
  onClose: () => void;
}

/** In the place of a menu whose code did not arrive: says so, and counts as closed. */
export function LostMenu({ onClose }: LostMenuProps) {
  useEffect(() => {
    showLost();
    onClose();
  }, [onClose]);
  return null;
}
