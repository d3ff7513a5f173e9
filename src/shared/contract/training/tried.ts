/**
 * A worker sends weights of a checkpoint up to this size, so that they can be tried while the training goes on. Larger ones
 * stay on its machine until the run has ended.
 */
export const TRIED_BYTES = 64e6;
