// The one message field, found by its id from anywhere in the playground.

export const MESSAGE_FIELD_ID = 'playground-message';

export function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(`#${MESSAGE_FIELD_ID}`)?.focus();
}
