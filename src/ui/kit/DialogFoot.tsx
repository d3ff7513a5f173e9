import { useContext, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FootSlot } from './footSlot.ts';

/** What stays below the content of a dialog while that is scrolled. Its submit button names its form by `form`. */
export function DialogFoot({ children }: { children: ReactNode }) {
  const slot = useContext(FootSlot);
  return slot && createPortal(<div className="border-t border-line px-4 py-2.5">{children}</div>, slot);
}
