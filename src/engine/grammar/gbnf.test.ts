import { describe, expect, it } from 'vitest';
import { Rules } from './gbnf.ts';

const TOO_LARGE = 'The schema is too large to be enforced. Make it smaller.';

describe('the rules of one request', () => {
  it('are one for each body, and at most 8,192', () => {
    const rules = new Rules();
    const names = Array.from({ length: 8192 }, (_, index) => rules.add('value', `"${index}"`));
    expect(new Set(names).size).toBe(8192);
    expect(rules.add('other', '"7"')).toBe(names[7]);
    expect(() => rules.add('value', '"one more"')).toThrow(TOO_LARGE);
  });

  it('have at most half a million characters', () => {
    const rules = new Rules();
    for (let index = 0; index < 8; index += 1) rules.add('value', `"${String(index).repeat(64_000)}"`);
    expect(() => rules.add('value', `"${'x'.repeat(64_000)}"`)).toThrow(TOO_LARGE);
  });

  it('are named after letters and digits of their hint', () => {
    const rules = new Rules();
    expect([rules.add('$defs/a-name that is long', '"a"'), rules.add('~', '"b"')]).toEqual([
      'defsanamethatisl-0',
      'rule-1',
    ]);
  });
});
