import { expect, it } from 'vitest';
import { toAdvice } from './modelLoad.ts';

it.each([
  ["missing tensor 'blk.2.attn_norm.weight'", /--no-mtp/],
  ['wrong number of tensors; expected 30, got 28', /--no-mtp/],
  ["unknown model architecture: 'mamba9'", /does not know it/],
  ['The file is cut off: it has 0.5 MiB.', /^Export the file again\.$/],
])('the advice fits the complaint of llama.cpp: %s', (reason, advice) => {
  expect(toAdvice(reason)).toMatch(advice);
});
