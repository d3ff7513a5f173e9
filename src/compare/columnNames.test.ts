import { expect, it } from 'vitest';
import { readJob } from '../contract/jobReader';
import { toColumnNames } from './columnNames';
import { toCompareColumns } from './compareColumns';
import { findCompared } from './findCompared';
import { toTestNode } from './testProject';

it('tells runs of one name apart by their place, and leaves other names alone', () => {
  const job = toTestNode('finetuning-job', 'j', 'First round', ['a', 'b', 'c'].map((id) => toTestNode('experiment', id, id === 'c' ? 'Another' : 'Same')));
  const project = toTestNode('project', 'p', 'P', [job]);
  const found = findCompared(project, new Set(['a', 'b', 'c']), new Set());
  const answer = readJob({ id: 'j', experiments: [] });
  const data = answer.ok ? answer.value : undefined;
  const columns = toCompareColumns(['x:a', 'x:gone', 'x:c', 'x:b'], { found, records: new Map(), jobs: new Map([['j', { data, error: null, isMissing: false }]]) });
  const names = [...toColumnNames(columns).values()];
  expect(names).toEqual(['Same · run of First round (column 1)', 'column 2', 'Another · run of First round', 'Same · run of First round (column 4)']);
});
