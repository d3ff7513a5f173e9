import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { canPass, DatabaseUnavailable, openOutage } from './unavailable.ts';

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const fail = (): Promise<never> => Promise.reject(refused());

function openGate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

it('a question from before the database recovered fails without a new outage', async () => {
  const warnings: string[] = [];
  const outage = openOutage('The database', (text) => void warnings.push(text));
  let failLate: (error: Error) => void = () => undefined;
  const late = outage.watch(
    () =>
      new Promise((_resolve, reject) => {
        failLate = reject;
      }),
  );
  await expect(outage.watch(fail)).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await outage.watch(async () => 'row')).toBe('row');
  failLate(refused());
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(warnings).toEqual([expect.stringContaining('does not answer'), 'The database answers again.']);
  await expect(outage.watch(fail)).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(warnings).toHaveLength(3);
});

it('says of work that nobody waits for any more whether it may be done, once it is over', async () => {
  const outage = openOutage('The database', () => undefined);
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const ends: readonly [() => Promise<unknown>, boolean][] = [
    [async () => 'row', true],
    [() => Promise.reject(ofPostgres('23505')), false],
    [fail, false],
    [() => Promise.reject(reset), true],
  ];
  for (const [end, mayBeDone] of ends) {
    const begin = openGate();
    const given = await outage
      .guard(async () => {
        await begin.isOpen;
        return end();
      }, 1)
      .catch((error: unknown) => error);
    const late = given instanceof DatabaseUnavailable ? given.late : null;
    expect(late?.message).toContain('look whether it is done before you try again');
    begin.open();
    expect(await late?.mayBeDone).toBe(mayBeDone);
  }
  // The connection was in use, or it was not.
  await expect(outage.watch(() => Promise.reject(reset))).rejects.toMatchObject({ late: {} });
  await expect(outage.watch(fail)).rejects.toMatchObject({ late: null });
});

const ofPostgres = (code: string): Error => Object.assign(new Error('no'), { severity: 'ERROR', code });

it.each([
  ['a refused connection', refused(), true],
  ['a pool that waited too long', new Error('timeout exceeded when trying to connect'), true],
  ['a database that is known to be away', new DatabaseUnavailable('away'), true],
  ['a failed query, by its cause', new DrizzleQueryError('insert', [], ofPostgres('57014')), true],
  ['a full disk of the server', ofPostgres('53100'), true],
  ['two transactions in each other’s way', ofPostgres('40P01'), true],
  ['a full disk of the embedded database', { errno: 51, name: 'ErrnoError' }, true],
  ['a number that no column holds', ofPostgres('22003'), false],
  ['a text that no JSON holds', new DrizzleQueryError('insert', [], ofPostgres('22P05')), false],
  ['a row that breaks a rule', ofPostgres('23514'), false],
  ['a fault of the program', new TypeError('undefined is not a function'), false],
  ['nothing', undefined, false],
])('%s may pass: %#', (_what, error, isPassing) => expect(canPass(error)).toBe(isPassing));
