import { useId, type ComponentProps, type MouseEvent } from 'react';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: 'primary' | 'default' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | null;
}

const VARIANTS: Record<NonNullable<ButtonProps['variant']>, string> = {
  primary: 'border-accent bg-accent text-on-accent not-aria-disabled:hover:brightness-110',
  default:
    'border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-raised not-aria-disabled:hover:border-faint',
  quiet:
    'border-transparent bg-transparent text-soft not-aria-disabled:hover:bg-neutral-soft not-aria-disabled:hover:text-ink',
  danger:
    'border-line-strong bg-surface text-error not-aria-disabled:hover:bg-error-soft not-aria-disabled:hover:border-error',
};

const SIZES: Record<NonNullable<ButtonProps['size']>, string> = {
  small: 'h-6 px-2 text-sm gap-1',
  medium: 'h-7 px-2.5 gap-1.5',
};

export function Button({
  variant = 'default',
  size = 'medium',
  disabledReason,
  className = '',
  type = 'button',
  onClick,
  children,
  ...native
}: ButtonProps) {
  const reasonId = useId();
  const isDisabled = typeof disabledReason === 'string';
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isDisabled) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...native}
      {...(disabledReason && { 'data-tip': disabledReason })}
      type={type}
      onClick={press}
      aria-disabled={isDisabled || undefined}
      aria-describedby={isDisabled ? reasonId : native['aria-describedby']}
      className={
        'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap ' +
        `select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-55 ${VARIANTS[variant]} ${SIZES[size]} ` +
        `${className}`
      }
    >
      {children}
      {isDisabled && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  );
}
