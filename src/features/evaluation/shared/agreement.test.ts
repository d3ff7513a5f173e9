import { expect, it } from 'vitest';
import { toAgreement } from './agreement.ts';

it('groups equal answers, the most frequent first', () => {
  expect(toAgreement(['a', 'b', ' b\n', 'c', 'b', 'a'])).toEqual({
    total: 6,
    equal: 3,
    groups: [
      { text: 'b', places: [1, 2, 4] },
      { text: 'a', places: [0, 5] },
      { text: 'c', places: [3] },
    ],
  });
});

it('knows nothing of no answers', () => expect(toAgreement([])).toEqual({ total: 0, groups: [], equal: 0 }));

it('tells case and inner white space apart', () => expect(toAgreement(['A b', 'a b', 'A  b']).equal).toBe(1));
