/** Where a studio listens if nothing else is said. */
export const DEFAULT_PORT = 4600;
