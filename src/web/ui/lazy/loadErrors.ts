// What is said when code that was asked for does not arrive.
import { showToast } from '#web/ui/toast.ts';

let isUpdated = false;

function show(text: string): void {
  // Of several messages about missing code the last is enough.
  showToast(text, {
    tone: 'bad',
    kind: 'lost-code',
    action: { label: 'Reload', onSelect: () => window.location.reload() },
  });
}

/** From the first call on, what does not arrive is put down to the update. */
export function showUpdated(): void {
  isUpdated = true;
  show('The studio was updated. Reload the page.');
}

export function showLoadError(): void {
  if (isUpdated) showUpdated();
  else show('This can’t be opened: its code did not arrive. Check that the studio is running, then reload the page.');
}
