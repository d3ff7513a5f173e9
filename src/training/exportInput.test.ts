import { expect, it } from 'vitest';
import { toExportTarget } from './exportInput';

const OWN = 'http://127.0.0.1:4600';

it.each([
  ['this service itself', { mode: 'local', remote: null, learning_rate_is_absolute: true } as const, { baseUrl: OWN, isRemote: false, takesJobs: false, isRateAbsolute: true }],
  ['the remote studio', { mode: 'gateway', remote: 'https://studio.example', learning_rate_is_absolute: false } as const, { baseUrl: 'https://studio.example', isRemote: true, takesJobs: true, isRateAbsolute: false }],
  ['what nobody knows yet', null, { baseUrl: OWN, isRemote: false, takesJobs: true, isRateAbsolute: false }],
])('an export is for %s', (_case, session, expected) => expect(toExportTarget(session, OWN)).toEqual(expected));
