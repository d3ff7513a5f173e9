// The ids of the message field and of the fields for variables, so that any part of the playground can focus them.

export const MESSAGE_FIELD_ID = 'playground-message';

export const variableFieldId = (name: string): string => `playground-variable-${name}`;

export function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(`#${MESSAGE_FIELD_ID}`)?.focus();
}

export function focusVariable(name: string): void {
  document.getElementById(variableFieldId(name))?.focus();
}
