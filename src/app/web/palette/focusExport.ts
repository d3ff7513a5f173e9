// Goes to the export of the tab that is about to be shown.

/** A tab whose data takes longer is left alone: the person went on meanwhile. */
const WAIT_MS = 5_000;

const findExport = (): HTMLElement | null =>
  document.querySelector('[role="tabpanel"]:not([hidden]) [data-export] button');

/** Focuses the first export button of the workspace as soon as it is there. */
export function focusExport(): void {
  const observer = new MutationObserver(() => focusIfThere());
  const timer = setTimeout(() => observer.disconnect(), WAIT_MS);
  const focusIfThere = (): void => {
    const button = findExport();
    if (button === null) return;
    clearTimeout(timer);
    observer.disconnect();
    button.scrollIntoView({ block: 'nearest' });
    button.focus();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  // The tab of before is still there in this step.
  requestAnimationFrame(focusIfThere);
}
