import { expect, it } from 'vitest';
import { makeId } from './makeId.ts';

it('makes ids of one form, none twice', () => {
  const ids = Array.from({ length: 2000 }, makeId);
  expect(new Set(ids).size).toBe(2000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{20}$/);
});
