import { describe, expect, it } from 'vitest';
import { ROW_BUCKETS, toRowsFileName } from './rowsFile.ts';

const snapshotId = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ac';

describe('the name of a file of rows', () => {
  it.each([
    ['Ticket triage', 'Snapshot 1', 'ticket-triage-snapshot-1'],
    ['Réponses (polies)', 'v2.1', 'reponses-polies-v2-1'],
    ['../../etc/passwd', '"; rm -rf ~', 'etc-passwd-rm-rf'],
    ['a\r\nSet-Cookie: x', 'b', 'a-set-cookie-x-b'],
    ['工单', 'Snapshot 1', '6f0c2a1e-snapshot-1'],
    ['', '', '6f0c2a1e-6f0c2a1e'],
    ['x'.repeat(500), 'y', `${'x'.repeat(60)}-y`],
  ])('of %j and %j is %s', (dataset, snapshot, expected) => {
    for (const bucket of ROW_BUCKETS)
      expect(toRowsFileName({ snapshotId, dataset, snapshot }, bucket)).toBe(`${expected}.${bucket}.jsonl`);
  });

  it('needs no id where the labels say enough, and is never empty', () => {
    expect(toRowsFileName({ snapshotId: '', dataset: '工单', snapshot: '' }, 'training')).toBe('rows.training.jsonl');
  });
});
