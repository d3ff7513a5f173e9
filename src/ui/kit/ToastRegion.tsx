import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type FocusEvent } from 'react';
import { dismissToast, holdToasts, readToasts, subscribeToasts, type ToastEntry } from './toast.ts';

const TONES: Record<ToastEntry['tone'], string> = {
  neutral: 'border-line-strong',
  success: 'border-success',
  error: 'border-error',
};

/** The toasts; one per page, and one in a dialog, which hides that of the page while it is open. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, readToasts);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // A hovered or focused element fires no event when it is removed.
  const isPaused = toasts.length > 0 && (isPointed || isFocused);
  if (toasts.length === 0 && (isPointed || isFocused)) {
    setPointed(false);
    setFocused(false);
  }
  useEffect(() => {
    if (!isPaused) return undefined;
    holdToasts(true);
    return () => holdToasts(false);
  }, [isPaused]);
  // The handlers only pause the timer, and none needs a pointer: the focus counts as well.
  const watch = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      currentTarget.contains(relatedTarget) || setFocused(false),
  };
  return (
    <div
      {...watch}
      role="log"
      aria-label="Messages"
      aria-live="polite"
      // Over the workspace, which can be scrolled; in a small window above the composer.
      className={
        'pointer-events-none fixed inset-x-0 bottom-4 z-50 mx-auto flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 ' +
        'max-[900px]:bottom-36 [:root:has(dialog[open]_[role=log])_&:not(dialog_*)]:invisible'
      }
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={
            'pointer-events-auto flex items-start gap-2 rounded-lg border bg-surface py-2 pr-1.5 pl-3 shadow-pop ' +
            `${TONES[toast.tone]}`
          }
        >
          <p className="min-w-0 flex-1">{toast.text}</p>
          {[toast.opener, toast.action].map(
            (action) =>
              action && (
                <button
                  key={action.label}
                  type="button"
                  onClick={() => (dismissToast(toast.id), action.onSelect())}
                  className="h-6 shrink-0 rounded-md px-1.5 font-medium text-accent hover:bg-accent-soft"
                >
                  {action.label}
                </button>
              ),
          )}
          <button
            type="button"
            aria-label="Dismiss message"
            onClick={() => dismissToast(toast.id)}
            className={
              'flex size-6 shrink-0 items-center justify-center rounded-md text-faint hover:bg-neutral-soft ' +
              'hover:text-ink'
            }
          >
            <X aria-hidden size={13} />
          </button>
        </div>
      ))}
    </div>
  );
}
