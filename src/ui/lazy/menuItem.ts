// One action of a menu.
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly disabledReason?: string | null;
  /** If set, the item is one of a set, and this says whether it is chosen. */
  readonly isChecked?: boolean;
  /** A line is drawn above it. */
  readonly isApart?: boolean;
}
