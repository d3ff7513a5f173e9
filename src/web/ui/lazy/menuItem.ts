// One action of a menu.
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly disabledReason?: string | null;
  /** Given: the item is one of a set, and this one is (not) chosen. */
  readonly isChecked?: boolean;
  /** A line stands above it. */
  readonly isApart?: boolean;
}
