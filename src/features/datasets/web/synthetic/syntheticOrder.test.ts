import { expect, it } from 'vitest';
import { SYNTHETIC_LIMITS } from '#features/datasets/shared/syntheticLimits.ts';
import { findOrderProblem, takeProject, toSyntheticForm, type SyntheticOrder } from './syntheticOrder.ts';

const file = (name: string, size = 3) => ({ name, size }) as File;
const ORDER: SyntheticOrder = {
  name: ' Guide ',
  files: [new File(['abc'], 'a.md')],
  rules: '- Be short.\n\n  * Name the day. \nNo - dash.',
  model: 'big',
  pairs: 12,
  temperature: 0,
};

it('a form has each file and each line of the rules, without the marks of a list', () => {
  const form = toSyntheticForm(ORDER, 'p1');
  const texts = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
  expect(texts).toEqual([
    ['project_id', 'p1'],
    ['name', 'Guide'],
    ['pairs_to_generate', '12'],
    ['temperature', '0'],
    ['rules[]', 'Be short.'],
    ['rules[]', 'Name the day.'],
    ['rules[]', 'No - dash.'],
    ['model', 'big'],
    ['files[]', 'a.md'],
  ]);
  expect(toSyntheticForm({ ...ORDER, model: '' }, 'p1').has('model')).toBe(false);
});

it.each<[string, Partial<SyntheticOrder>, RegExp | null]>([
  ['all that is needed', {}, null],
  ['rules alone', { files: [] }, null],
  ['files alone', { rules: '' }, null],
  ['neither', { files: [], rules: ' \n-  \n' }, /Choose a file/],
  ['no name', { name: ' ' }, /name/],
  ['no number', { pairs: undefined }, /how many/],
  ['no temperature', { temperature: undefined }, /temperature/],
  ['too many files', { files: Array.from({ length: 51 }, () => file('a')) }, /At most 50 files/],
  ['too many rules', { rules: 'a\n'.repeat(51) }, /At most 50 rules/],
  ['a rule that is too long', { rules: 'a'.repeat(10_001) }, /at most 10000 characters/],
])('an order with %s', (_what, more, problem) => {
  const found = findOrderProblem({ ...ORDER, ...more });
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

it('a second try takes the project that the first one made, unless it got another name', async () => {
  const created: string[] = [];
  const create = async (name: string): Promise<string> => `p${created.push(name)}`;
  const first = await takeProject('A', null, create);
  expect(await takeProject('A', first, create)).toBe(first);
  expect(await takeProject('B', first, create)).toEqual({ name: 'B', id: 'p2' });
  expect(created).toEqual(['A', 'B']);
});

it('an order with files that are larger than a form may be says so', () => {
  const files = [file('a', SYNTHETIC_LIMITS.bytes / 2), file('b', SYNTHETIC_LIMITS.bytes / 2)];
  expect(findOrderProblem({ ...ORDER, files })).toMatch(/at most .* fit/);
});
