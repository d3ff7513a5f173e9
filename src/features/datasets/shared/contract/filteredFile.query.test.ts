// The query of a download of filtered rows.
import { describe, expect, it } from 'vitest';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { filteredQuerySchema, rowsQuerySchema } from './rows.ts';

describe('the query', () => {
  it('takes the filters of the table, and a form', () => {
    const { from: _from, limit: _limit, ...filters } = rowsQuerySchema.shape;
    expect(Object.keys(filteredQuerySchema.shape)).toEqual([...Object.keys(filters), 'form']);
  });

  it.each([
    {},
    { search: 'refund', side: 'training' },
    { tag: 'odd', mark: 'edited', form: 'original' },
    { finding: 'leak', form: 'chat' },
  ])('may be %j', (query) => {
    expect(filteredQuerySchema.parse(query)).toEqual(query);
  });

  it.each([
    { form: 'csv' },
    { side: 'test' },
    { mark: 'starred' },
    { finding: 'odd' },
    { from: '3' },
    { limit: '10' },
    { search: 'x'.repeat(DATA_LIMITS.search + 1) },
  ])('may not be %j', (query) => {
    expect(filteredQuerySchema.safeParse(query).success).toBe(false);
  });
});
