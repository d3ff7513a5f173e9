// A conversation as a text to read. Pure.

/** `[role]` and the content of each message; what is no text is JSON. */
export const toMessageText = (
  messages: readonly { readonly role: string; readonly [field: string]: unknown }[],
): string =>
  messages
    .map(({ role, content, tool_calls }) =>
      [
        `[${role}]`,
        typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content),
        tool_calls === undefined ? '' : JSON.stringify(tool_calls),
      ]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n');
