import { expect, it } from 'vitest';
import { toPane } from '#features/playground/web/desk/desk.ts';
import { toPaneNames, toReachNotice } from './shareWords.ts';

it.each(['localhost', 'studio.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s opens on this machine only', (host) =>
  expect(toReachNotice(host)).toMatch(/nobody can open the link on another one.*--public-url/),
);

it.each(['studio.example.com', '10.0.0.7', 'localhost.example.com', '127.example.com'])(
  '%s may open elsewhere',
  (host) => expect(toReachNotice(host)).toBeNull(),
);

it('panes have the names of their models, else the ids', () =>
  expect(
    toPaneNames([toPane('1', 'ft-1'), toPane('2', 'base'), toPane('3', '')], new Map([['ft-1', 'Experiment 1']])),
  ).toBe('Experiment 1, base, no model'));
