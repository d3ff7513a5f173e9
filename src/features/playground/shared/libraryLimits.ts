// Apart from the schemas, which a page does not need.

/** ASSUMED: ours. Characters of a name, of an item and of all items of a kind; items of a kind. */
export const LIBRARY_LIMITS = { name: 80, content: 500_000, all: 32_000_000, items: 5_000 } as const;
