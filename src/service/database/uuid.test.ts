import { expect, it } from 'vitest';
import { isUuid } from '#core/contract/uuid.ts';
import { SAMPLE_PROJECT_ID } from '#features/projects/server/sample.ts';
import { toUuid } from './uuid.ts';

it('gives UUIDs of version 5 that never change', () => {
  expect(isUuid(toUuid('x'))).toBe(true);
  expect(toUuid('x')[14]).toBe('5');
  expect('89ab').toContain(toUuid('x')[19]);
  expect(toUuid('x')).not.toBe(toUuid('y'));
  // Links to the sample stay good only while this holds.
  expect(SAMPLE_PROJECT_ID).toBe('e357cc9f-ba9a-573e-add6-d5103cf2b72a');
});
