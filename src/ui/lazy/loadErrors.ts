// Messages for code that did not load.
import { showToast } from '#ui/kit/toast.ts';

let isUpdated = false;

function show(text: string): void {
  // Of several messages about missing code only the last is shown.
  showToast(text, {
    tone: 'error',
    kind: 'lost-code',
    action: { label: 'Reload', onSelect: () => window.location.reload() },
  });
}

/** After this call, missing code is explained by the update. */
export function showUpdated(): void {
  isUpdated = true;
  show('The studio was updated. Reload the page.');
}

export function showLoadError(): void {
  if (isUpdated) showUpdated();
  else
    show('This can’t be opened: its code could not be loaded. Check that the studio is running, then reload the page.');
}
