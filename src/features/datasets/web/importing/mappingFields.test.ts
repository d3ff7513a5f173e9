import { describe, expect, it } from 'vitest';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { parseMapping } from '#features/datasets/shared/contract/rowMapping.ts';
import {
  changeMapping,
  changeRole,
  findMappingLack,
  roleOf,
  toMappingFields,
  toMappingHint,
  type MappingName,
} from './mappingFields.ts';

const COLUMNS = [
  { name: 'ticket', kind: 'text', filled: 2, example: 'My  invoice\nis wrong' },
  { name: 'notes', kind: 'text', filled: 2, example: '' },
  { name: 'reply', kind: 'text', filled: 2, example: 'Sorry.' },
  { name: 'turns', kind: 'list', filled: 2, example: '3 entries' },
] as const;

const choose = (choices: readonly (readonly [MappingName, string])[]): RowMapping | null =>
  choices.reduce<RowMapping | null>((mapping, [name, value]) => changeMapping(mapping, name, value), null);

describe('a mapping that is chosen field by field', () => {
  it('of a question and an answer is one that the service reads', () => {
    const mapping = choose([
      ['answer', 'reply'],
      ['question', 'ticket'],
      ['context', 'notes'],
      ['system', 'notes'],
    ]);
    expect(mapping).toEqual({ kind: 'pair', question: ['ticket', 'notes'], answer: 'reply', system: 'notes' });
    expect(parseMapping(mapping)).toEqual({ ok: true, value: mapping });
    expect(findMappingLack(mapping)).toBeNull();
    expect(changeMapping(mapping, 'context', '')).toMatchObject({ question: ['ticket'] });
    expect(changeMapping(mapping, 'system', '')).not.toHaveProperty('system');
  });

  it('of a list names the fields of its messages', () => {
    const mapping = choose([
      ['kind', 'list'],
      ['messages', 'turns'],
      ['role', 'speaker'],
      ['content', 'text'],
      ['tools', 'notes'],
    ]);
    expect(mapping).toEqual({ kind: 'list', messages: 'turns', role: 'speaker', content: 'text', tools: 'notes' });
    expect(parseMapping(mapping).ok).toBe(true);
    // The same kind again keeps what was chosen.
    expect(mapping && changeMapping(mapping, 'kind', 'list')).toBe(mapping);
  });

  it('gives names of roles a meaning, which the service reads', () => {
    const list = choose([
      ['kind', 'list'],
      ['messages', 'turns'],
    ]);
    const mapping = changeRole(changeRole(list, 'customer', 'user'), 'agent_bot', 'assistant');
    expect(mapping).toMatchObject({ roles: { customer: 'user', agent_bot: 'assistant' } });
    expect(parseMapping(mapping)).toEqual({ ok: true, value: mapping });
    expect([roleOf(mapping, 'customer'), roleOf(mapping, 'toString'), roleOf(null, 'customer')]).toEqual([
      'user',
      undefined,
      undefined,
    ]);
    expect(changeRole(mapping, 'customer', 'bird')).toBe(mapping);
    // Another field of roles has other names, and keeps what was said.
    expect(mapping && changeMapping(mapping, 'role', 'from')).toMatchObject({ roles: { customer: 'user' } });
  });

  it('says what it lacks', () => {
    expect(findMappingLack(null)).toContain('question');
    expect(findMappingLack(choose([['answer', 'reply']]))).toContain('question');
    expect(findMappingLack(choose([['question', 'ticket']]))).toContain('answer');
    expect(findMappingLack(choose([['kind', 'list']]))).toContain('messages');
  });

  it('promises rows below only where there are some', () => {
    expect(toMappingHint(null)).toMatch(/Choose its fields\. Then what the first rows become is shown below\.$/);
    expect(toMappingHint(choose([['answer', 'reply']]))).toBe(toMappingHint(null));
    const whole = choose([
      ['answer', 'reply'],
      ['question', 'ticket'],
    ]);
    expect(toMappingHint(whole)).toMatch(/is shown below, and changes at once\.$/);
  });
});

describe('the fields of the form', () => {
  it('offer the columns with an example of each', () => {
    const [kind, question, context] = toMappingFields(null, COLUMNS);
    expect(kind?.chosen).toBe('pair');
    expect(question?.options[1]).toEqual({ value: 'ticket', label: 'ticket', hint: 'My invoice is wrong' });
    expect(question?.options[2]).toEqual({ value: 'notes', label: 'notes' });
    expect(context?.options[0]?.label).toBe('none');
  });

  it('offer lists for messages, and keep a role that is not usual', () => {
    const fields = toMappingFields({ kind: 'list', messages: 'turns', role: 'who', content: 'text' }, COLUMNS);
    expect(fields.find(({ name }) => name === 'messages')?.options.map(({ value }) => value)).toEqual(['', 'turns']);
    const role = fields.find(({ name }) => name === 'role');
    expect(role?.options[0]?.value).toBe('who');
    expect(role?.chosen).toBe('who');
  });
});
