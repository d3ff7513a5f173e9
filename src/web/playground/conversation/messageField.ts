// The fields that a message is written in, found by their ids from anywhere in the playground.

export const MESSAGE_FIELD_ID = 'playground-message';

export const variableFieldId = (name: string): string => `playground-variable-${name}`;

export function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(`#${MESSAGE_FIELD_ID}`)?.focus();
}

export function focusVariable(name: string): void {
  document.getElementById(variableFieldId(name))?.focus();
}
