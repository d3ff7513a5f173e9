import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** Accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  disabledReason?: string | null;
  /** If set, the button is a toggle. */
  isPressed?: boolean;
}

export function IconButton({
  label,
  icon,
  onClick,
  disabledReason,
  isPressed,
  className = '',
  ...native
}: IconButtonProps) {
  const reasonId = useId();
  const isDisabled = typeof disabledReason === 'string';
  return (
    <button
      {...native}
      type="button"
      aria-label={label}
      data-tip={isDisabled ? `${label}: ${disabledReason}` : label}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      aria-describedby={isDisabled ? reasonId : native['aria-describedby']}
      onClick={isDisabled ? undefined : onClick}
      className={
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft ' +
        'not-aria-disabled:hover:bg-neutral-soft not-aria-disabled:hover:text-ink aria-disabled:cursor-not-allowed ' +
        `aria-disabled:opacity-50 aria-pressed:text-accent ${className}`
      }
    >
      {icon}
      {isDisabled && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  );
}
