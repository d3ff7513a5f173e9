import { expect, it } from 'vitest';
import { setView, useGrid } from './gridStore.ts';

it('keeps what is on show outside the panel, each part by itself', () => {
  setView({ filter: 'differ' });
  setView({ query: 'Bern' });
  expect(useGrid.getState().view).toEqual({ filter: 'differ', query: 'Bern', referenceId: null });
});
