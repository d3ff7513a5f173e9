// `npm run bench -- --short`: each section measures as little as it can. Its figures say nothing but that it still measures.
export const isShort = process.argv.includes('--short');

/** How much a section measures. */
export const amount = (full: number, short: number): number => (isShort ? short : full);
