import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

interface MenuTriggerProps extends ComponentProps<'button'> {
  label: string;
  /** Without an icon the label is shown. */
  icon?: ReactNode;
}

/** The look of a menu's button, before and after its pop-up code has arrived. */
export function MenuTrigger({ label, icon, ...native }: MenuTriggerProps) {
  const isIconOnly = icon !== undefined;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={isIconOnly ? label : undefined}
      data-tip={isIconOnly ? label : undefined}
      {...native}
      className={
        'inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap ' +
        `${isIconOnly ? 'w-7 text-soft hover:bg-neutral-soft hover:text-ink data-popup-open:bg-neutral-soft' : 'border border-line-strong bg-surface px-2.5 hover:border-faint hover:bg-raised'}`
      }
    >
      {icon ?? (
        <>
          {label}
          <ChevronDown aria-hidden size={13} className="text-faint" />
        </>
      )}
    </button>
  );
}
