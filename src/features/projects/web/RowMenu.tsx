import { Menu as Base } from '@base-ui/react/menu';
import { MenuPopup } from '#ui/lazy/MenuPopup.tsx';
import type { RowAction } from './rowAction.ts';

interface RowMenuProps {
  /** Label of the menu's row. */
  label: string;
  actions: readonly RowAction[];
  /** Where the menu opens, in viewport coordinates. */
  place: DOMRect;
  onClose: () => void;
  /** The row that gets the focus back afterwards. */
  findRow: () => HTMLElement | null;
}

/** The menu of a tree row. One menu serves all rows and is mounted while open. */
export function RowMenu({ label, actions, place, onClose, findRow }: RowMenuProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <MenuPopup
        label={`Actions for ${label}`}
        anchor={{ getBoundingClientRect: () => place }}
        align="start"
        finalFocus={findRow}
        items={actions.map(({ Icon, disabledReason, isApart = false, ...action }) => ({
          ...action,
          isApart,
          icon: <Icon aria-hidden size={13} />,
          ...(disabledReason !== null && { disabledReason }),
        }))}
      />
    </Base.Root>
  );
}
