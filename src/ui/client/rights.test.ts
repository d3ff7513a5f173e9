import { expect, it } from 'vitest';
import { toReadOnlyReason, toRightsSentence, toRightsWords, toWhoWords } from './rights.ts';

it('only a token that may read only is refused, with who to ask', () => {
  expect(toReadOnlyReason({ rights: 'read' })).toMatch(/^Your token may read only: ask /);
  expect(
    [undefined, { rights: 'write' }, { rights: 'own' }].map((session) => toReadOnlyReason(session as never)),
  ).toEqual([null, null, null]);
});

it('says whose token it is and what it may do', () => {
  expect(toRightsSentence({ who: 'Anna', rights: 'read' })).toBe('You use the token of Anna, which may read only.');
  expect(toRightsSentence({ who: 'Ben', rights: 'write' })).toBe(
    'You use the token of Ben, which may read and change things.',
  );
  expect(toRightsSentence({ who: null, rights: 'own' })).toContain("studio's own token");
  expect(toRightsWords({ who: 'Anna', rights: 'read' })).toBe('Anna, read only');
  expect(toRightsWords({ who: 'Ben', rights: 'write' })).toBe('Ben');
  expect([toWhoWords(null), toWhoWords('Anna')]).toEqual(['Owner', 'Anna']);
});
