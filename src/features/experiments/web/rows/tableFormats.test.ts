import { expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { toTableCsv, toTableFormats, toTableJson } from './tableFormats.ts';
import { toTestRow } from './rows.fixture.ts';

const rows = [
  toTestRow('a', { learning_rate_multiplier: 0.1 + 0.2, job: 'First, round' }),
  toTestRow('b', { learning_rate_multiplier: null, isPending: true }),
];
const columns = toColumns(rows).filter(({ id }) => ['label', 'learning_rate_multiplier', 'job'].includes(id));

it('has the columns in their order, every digit, and empty fields for missing values', () => {
  expect(toTableCsv({ columns, rows, texts: null })).toBe(
    'label,learning_rate_multiplier,job\r\na,0.30000000000000004,"First, round"\r\nb,,Job\r\n',
  );
  expect(JSON.parse(toTableJson({ columns, rows, texts: null }))).toEqual([
    { label: 'a', learning_rate_multiplier: 0.1 + 0.2, job: 'First, round' },
    { label: 'b', learning_rate_multiplier: null, job: 'Job' },
  ]);
});

it('has the service’s own values, not the words of the table', () => {
  const odd = toTestRow('a', {
    training_type: 'lora',
    status: 'paused-by-operator',
    seconds: 301.5,
    n_epochs: 1e6,
    learning_rate_multiplier: 1 / 3,
    first_loss: 1 / 3,
    failure: 'No',
    model_id: 'ft-a',
  });
  const own = toColumns([odd]).filter(({ id }) => id !== 'star');
  const [line] = JSON.parse(toTableJson({ columns: own, rows: [odd], texts: null })) as Record<string, unknown>[];
  expect(line).toEqual(Object.fromEntries(own.map(({ id }) => [id, odd[id as keyof typeof odd] ?? null])));
  expect(
    toTableCsv({
      columns: toColumns([]).filter(({ id }) => id === 'training_type'),
      rows: [odd, toTestRow('b', { training_type: null })],
      texts: null,
    }),
  ).toBe('training_type\r\nlora\r\n\r\n');
});

it('has stars, tags and, where they were read, the texts of notes', () => {
  const noted = [toTestRow('a', { is_starred: true, tags: ['best', 'v2'] }), toTestRow('b')];
  const some = toColumns(noted).filter(({ id }) => ['star', 'tags'].includes(id));
  expect(toTableCsv({ columns: some, rows: noted, texts: null })).toBe('star,tags\r\nstarred,"best, v2"\r\n,\r\n');
  expect(JSON.parse(toTableJson({ columns: some, rows: noted, texts: new Map([['a', '**why**']]) }))).toEqual([
    { star: 'starred', tags: ['best', 'v2'], note_text: '**why**' },
    { star: null, tags: [], note_text: null },
  ]);
});

it('says when jobs have not answered, or could not be read', () => {
  const find = toTableFormats('all columns')[0]!.findGap;
  expect(find({ rows })).toContain('Values of 1 run are missing');
  expect(find({ rows: [...rows, toTestRow('c', { isUnread: true })] })).toContain('Values of 2 runs are missing');
  expect(find({ rows: rows.slice(0, 1) })).toBeNull();
});

it('names the columns of the file in the menu', () => {
  expect(toTableFormats('chosen columns').map(({ label }) => label)).toEqual([
    'CSV, chosen columns',
    'JSON, chosen columns',
  ]);
});
