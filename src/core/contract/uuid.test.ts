import { expect, it } from 'vitest';
import { lastIdOf } from './uuid.ts';

it.each([
  ['/api/v1/studio/training/queue', null],
  ['/api/v1/studio/nodes/6F0C2A1E-0D5B-4C37-9A51-1F2E3D4C91AB', '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab'],
  [
    '/a/6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab/b/7f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab/table/7',
    '7f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab',
  ],
  ['/a/6f0c2a1e-0d5b-4c37-9a51', null],
])('a path is about what it names last: %s', (path, id) => {
  expect(lastIdOf(path)).toBe(id);
});
