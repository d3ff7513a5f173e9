import { expect, it } from 'vitest';
import { parseTriedId, toTunedId } from './trainedModelIds.ts';

const ID = 'f5da809d-1234-4abc-8def-000000000000';

it.each([1, 2])('the id of a checkpoint says its run and its step, also where it is number %s of that id', (number) => {
  expect(parseTriedId(toTunedId('support-base', ID, 338, number))).toEqual({ experimentKey: 'f5da809d', step: 338 });
});

it.each([toTunedId('support-base', ID, undefined, 1), 'ft-a-step-3', 'llama-step-338', ''])(
  '%j is the id of no checkpoint',
  (id) => expect(parseTriedId(id)).toBeNull(),
);
