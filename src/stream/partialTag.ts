// Tags that are cut by the network. It must not know what a tag means.

/** How many characters at the end of `text` may be the beginning of `tag`. */
export function partialLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
