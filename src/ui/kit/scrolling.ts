/** Attributes of a box that scrolls: without them no key reaches it. */
export const SCROLLING = { tabIndex: 0, role: 'group' } as const;
