import { expect, it } from 'vitest';
import { toConnection, toExportTarget } from './exportInput.ts';

const OWN = 'http://127.0.0.1:4600';

it.each([
  [
    'this service itself',
    { mode: 'local', remote: null, learning_rate_is_absolute: true } as const,
    { baseUrl: OWN, isRemote: false, rate: { means: 'rate', saidBy: 'service' } },
  ],
  [
    'the remote studio',
    { mode: 'gateway', remote: 'https://studio.example', learning_rate_is_absolute: false } as const,
    { baseUrl: 'https://studio.example', isRemote: true, rate: { means: 'unknown' } },
  ],
  ['what nobody knows yet', null, { baseUrl: OWN, isRemote: false, rate: { means: 'unknown' } }],
])('an export is for %s', (_case, session, expected) => expect(toExportTarget(session, OWN, null)).toEqual(expected));

it('takes what a person said of a service that does not say it, and not of one that does', () => {
  const choice = { means: 'factor', base: 2e-5 } as const;
  const remote = { mode: 'gateway', remote: 'https://studio.example', learning_rate_is_absolute: false } as const;
  expect(toExportTarget(remote, OWN, choice).rate).toEqual(choice);
  expect(toExportTarget({ ...remote, learning_rate_is_absolute: true }, OWN, choice).rate).toEqual({
    means: 'rate',
    saidBy: 'service',
  });
  expect([
    toConnection(remote, OWN),
    toConnection({ mode: 'local', remote: null, learning_rate_is_absolute: true }, OWN),
    toConnection(null, OWN),
  ]).toEqual(['https://studio.example', OWN, OWN]);
});
