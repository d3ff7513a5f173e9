import { expect, it } from 'vitest';
import { toDataRefusal } from './dataRefusal.ts';

it('a local studio makes data; one that passes requests on names the studio that does', () => {
  expect(toDataRefusal({ mode: 'local', remote: null })).toBeNull();
  expect(toDataRefusal(undefined)).toBeNull();
  expect(toDataRefusal({ mode: 'gateway', remote: 'https://studio.example.com' })).toContain(
    'https://studio.example.com. Make projects and datasets there.',
  );
  expect(toDataRefusal({ mode: 'gateway', remote: null })).toContain('a remote studio');
});
