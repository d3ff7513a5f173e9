import { expect, it } from 'vitest';
import { DatabaseUnavailable, openOutage } from './unavailable.ts';

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const fail = (): Promise<never> => Promise.reject(refused());

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
