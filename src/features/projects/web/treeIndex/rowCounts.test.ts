import { describe, expect, it } from 'vitest';
import { toRowCounts } from './rowCounts.ts';
import { toTestNode } from './tree.fixture.ts';

describe('toRowCounts', () => {
  it('shows a dataset by its datapoints and a snapshot by its two parts', () => {
    expect(toRowCounts(toTestNode('dataset', 'd', 'D', { metadata: { datapoints_count: 2400 } }))).toEqual({
      short: '2,400',
      long: '2,400 rows',
    });
    const snapshot = toTestNode('snapshot', 's', 'S', { metadata: { training_count: 2200, validation_count: 0 } });
    expect(toRowCounts(snapshot)).toEqual({ short: '2,200 / 0', long: '2,200 training · 0 validation' });
  });

  it('shows what is missing as unknown, never as 0', () => {
    expect(toRowCounts(toTestNode('dataset', 'd', 'D'))).toBeNull();
    expect(toRowCounts(toTestNode('dataset', 'd', 'D', { metadata: { datapoints_count: '12' } }))).toBeNull();
    expect(toRowCounts(toTestNode('snapshot', 's', 'S', { metadata: { training_count: 10 } }))?.short).toBe('10 / ?');
    expect(toRowCounts(toTestNode('experiment', 'e', 'E'))).toBeNull();
  });
});
