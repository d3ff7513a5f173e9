// For tests: the records of the runs that evidence tells of.
import type { RunGrouping } from '#features/runs/shared/runs.ts';
import type { RunEvidence } from './evidence.ts';
import { NOW } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { openRunIds } from './runIdentity.ts';
import { toRecords, type RunRecord } from './runRecords.ts';
import { toRunStatus } from './runStatus.ts';

export function toTestRecords(
  rootId: string,
  evidence: readonly RunEvidence[],
  grouping: RunGrouping = { by: 'folder' },
): readonly RunRecord[] {
  const runs = joinRuns(evidence, '/data/outputs');
  const ids = openRunIds(rootId).assign(runs);
  const statuses = runs.map((run) => toRunStatus(run, { now: NOW, findProcess: () => 'unknown' }));
  return toRecords(runs, { ids, statuses }, { name: 'outputs', grouping });
}
