import { expect, it } from 'vitest';
import { forOwnProcess, withoutSecrets } from './childEnvironment.ts';

const env = {
  PATH: '/bin',
  STUDIO_TOKEN: 'secret',
  STUDIO_EVALUATOR_TOKEN: 'secret',
  STUDIO_WEBHOOK: 'secret',
  STUDIO_WEBHOOK_SECRET: 'secret',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TOP_PAD_: '9',
  STUDIO_MALLOC: 'MALLOC_ARENA_MAX',
};

it('a trainer gets what a person has set for memory, and nothing that was set for the studio', () => {
  expect(withoutSecrets(env)).toEqual({ PATH: '/bin', MALLOC_TOP_PAD_: '9' });
});

it('a process of the studio gets what was set for the studio, and no secret', () => {
  const rest = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== 'secret'));
  expect(forOwnProcess(env)).toEqual(rest);
});
