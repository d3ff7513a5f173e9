import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readJob, type ReadJob } from '#core/contract/jobReader.ts';
import { jobQuery } from '#ui/client/queries.ts';
import { findBestModel } from './findBestModel.ts';
import { toTestJobFacts, toTestNode } from './rows/rows.fixture.ts';

const toRun = (id: string) =>
  toTestNode('experiment', id, [], { status: 'succeeded', metadata: { model_id: `ft-${id}` } });
const toProject = (...runs: readonly string[]) =>
  toTestNode('project', 'p', [
    toTestNode('dataset', 'd', [toTestNode('snapshot', 's', [toTestNode('finetuning-job', 'j', runs.map(toRun))])]),
  ]);

/** The job is known already, with these measures. */
function openClient(measures: Readonly<Record<string, Readonly<Record<string, number>>>>): QueryClient {
  const client = new QueryClient();
  const experiments = Object.entries(measures).map(([id, held_out]) => toTestJobFacts(id, { held_out }));
  const read = readJob({ id: 'j', snapshot_id: 's', status: 'completed', experiments });
  if (read.ok) client.setQueryData<ReadJob | null>(jobQuery('j').queryKey, read.value);
  return client;
}

it('the best run by the main measure is found, not the first one', async () => {
  const client = openClient({ a: { exact_match: 0.8 }, b: { exact_match: 0.9 } });
  expect(await findBestModel(client, toProject('a', 'b'))).toBe('ft-b');
});

it('nothing is found where nothing was measured', async () => {
  expect(await findBestModel(openClient({ a: {}, b: {} }), toProject('a', 'b'))).toBeNull();
});
