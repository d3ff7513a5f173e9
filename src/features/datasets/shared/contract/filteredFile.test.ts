import { expect, it } from 'vitest';
import { toFilteredFileName } from './filteredFile.ts';

const ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab';

it.each([
  [['Tickets'], {}, 'chat', 'tickets.jsonl'],
  [['Tickets'], { search: '', side: null }, 'original', 'tickets.original.jsonl'],
  [
    ['Ticket triage', 'Snapshot 1'],
    { side: 'training', tag: 'Odd one', search: 'refund "now"' },
    'chat',
    'ticket-triage-snapshot-1.training.tag-odd-one.with-refund-now.jsonl',
  ],
  [['Tickets'], { mark: 'set_aside', finding: 'near-duplicate' }, 'chat', 'tickets.set-aside.near-duplicate.jsonl'],
  [['Tickets'], { side: 'training', positions: [4, 17] }, 'chat', 'tickets.training.2-rows.jsonl'],
  // What has no Latin letters is left out of the name, or replaced by the id.
  [['票'], { search: '退款' }, 'chat', '6f0c2a1e.jsonl'],
] as const)('%j with %j as %s is %s', (labels, filter, form, name) => {
  expect(toFilteredFileName(ID, labels, filter, form)).toBe(name);
});

it('is not longer than a file system allows, and stays a name', () => {
  const long = 'x/..'.repeat(200);
  const name = toFilteredFileName(ID, [long, long], { search: long, tag: long, side: 'training' }, 'original');
  expect(name.length).toBeLessThan(255);
  expect(name).toMatch(/^[a-z0-9][a-z0-9.-]*\.original\.jsonl$/);
});
