import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toUniqueNames } from './uniqueNames.ts';

const named = (key: string, label: string, ...places: (string | null)[]) => ({ key, label, places });
const namesOf = (...entries: ReturnType<typeof named>[]) => [...toUniqueNames(entries).values()];

it('takes as few places as tell names apart', () => {
  expect(namesOf(named('a', 'Run 1', 'Tickets', 'First'), named('b', 'Run 2', 'Tickets', 'First'))).toEqual([
    'Run 1',
    'Run 2',
  ]);
  expect(namesOf(named('a', 'Run', 'Tickets', 'First'), named('b', 'Run', 'Tickets', 'Second'))).toEqual([
    'Run · First',
    'Run · Second',
  ]);
  expect(namesOf(named('a', 'Run', 'Tickets', 'First'), named('b', 'Run', 'Orders', 'First'))).toEqual([
    'Run · Tickets',
    'Run · Orders',
  ]);
  expect(namesOf(named('a', 'Run', 'A', '1'), named('b', 'Run', 'A', '2'), named('c', 'Run', 'B', '1'))).toEqual([
    'Run · A · 1',
    'Run · A · 2',
    'Run · B · 1',
  ]);
  expect(namesOf(named('a', 'Run', 'A', null), named('b', 'Run', 'A', null))).toEqual(['Run · A · 1', 'Run · A · 2']);
});

it('takes a mark where no place tells, and the order where that does not either', () => {
  const marked = (key: string, mark: string) => ({ ...named(key, 'Run', 'A'), mark });
  expect([...toUniqueNames([marked('a', 'id 1'), marked('b', 'id 2')]).values()]).toEqual(['Run · id 1', 'Run · id 2']);
  expect([...toUniqueNames([marked('a', 'id 1'), marked('b', 'id 1')]).values()]).toEqual([
    'Run · A · 1',
    'Run · A · 2',
  ]);
});

it('gives every key a name, no two of one label the same', () => {
  const text = fc.constantFrom('x', 'y', 'z');
  const entry = fc.tuple(text, fc.option(text), fc.option(text), fc.option(text));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 9 }), (entries) => {
      const names = toUniqueNames(entries.map(([label, ...places], at) => ({ key: String(at), label, places })));
      expect(names.size).toBe(entries.length);
      for (const label of ['x', 'y', 'z']) {
        const own = entries.flatMap((one, at) => (one[0] === label ? [names.get(String(at))] : []));
        expect(new Set(own).size).toBe(own.length);
      }
    }),
  );
});
