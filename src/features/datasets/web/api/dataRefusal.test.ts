import { expect, it } from 'vitest';
import { toDataRefusal } from './dataRefusal.ts';

it('a local studio keeps data; one that passes requests on names the studio that does, and what to do there', () => {
  expect(toDataRefusal({ mode: 'local', remote: null }, 'Make datasets')).toBeNull();
  expect(toDataRefusal(undefined, 'Make datasets')).toBeNull();
  expect(toDataRefusal({ mode: 'gateway', remote: 'https://studio.example.com' }, 'Start training')).toBe(
    'This studio passes requests on to https://studio.example.com. Start training there.',
  );
  expect(toDataRefusal({ mode: 'gateway', remote: null }, 'Make datasets')).toContain('a remote studio. Make datasets');
});
