import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

interface SelectTriggerProps extends ComponentProps<'button'> {
  children: string;
}

/** The look of a select's button, before and after its pop-up code has arrived. */
export function SelectTrigger({ children, ...native }: SelectTriggerProps) {
  return (
    <button
      type="button"
      title={children}
      {...native}
      className="inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md border border-line2 bg-surface px-2.5 font-medium hover:border-faint data-popup-open:border-faint"
    >
      <span className="max-w-60 truncate">{children}</span>
      <ChevronDown aria-hidden size={13} className="shrink-0 text-faint" />
    </button>
  );
}
