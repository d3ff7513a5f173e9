import { keepFocus } from '#ui/kit/keepFocus.ts';

interface LoadErrorPartProps {
  /** The missing part, as a noun: "The plot". */
  name: string;
  /** Loads the code again; if absent, only a new page does. */
  onRetry?: (() => void) | undefined;
}

const ACTION = 'font-medium text-accent underline';

/** Replaces a part of the page whose code did not load. */
export function LoadErrorPart({ name, onRetry }: LoadErrorPartProps) {
  return (
    <div
      role="alert"
      className="m-2 rounded-md border border-error/40 bg-error-soft px-2.5 py-1.5 text-left text-sm whitespace-normal"
    >
      <span className="font-semibold text-error">{`${name} could not be loaded.`}</span> The studio did not answer, or
      this page is older than the studio. {onRetry ? 'Try again once the studio runs, or reload' : 'Reload'} the page
      {onRetry ? '' : ' once the studio runs'}; conversations and the address are kept.{' '}
      {onRetry && (
        <>
          <button
            type="button"
            onClick={(event) => {
              // The button disappears while the code loads.
              keepFocus(event.currentTarget);
              onRetry();
            }}
            className={ACTION}
          >
            Try again
          </button>{' '}
        </>
      )}
      <button type="button" onClick={() => window.location.reload()} className={ACTION}>
        Reload the page
      </button>
    </div>
  );
}
