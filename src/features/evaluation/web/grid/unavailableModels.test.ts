import { expect, it } from 'vitest';
import { openAwayModels } from './unavailableModels.ts';
import { openHoldNotices, type Hold, type Postponement } from './gridBackoff.ts';

const busy = (waitMs: number | null): Postponement => ({ cause: 'busy', message: 'busy', waitMs });

/** Waits end when the test says so, in the order in which they began. */
function openDesk() {
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const holds: [ms: number | null, model: string | null][] = [];
  const away = openAwayModels({
    wait: (ms) => new Promise((resolve) => void waits.push({ ms, end: resolve })),
    random: () => 0.5,
    onHold: (hold, model) => void holds.push([hold && hold.ms, model]),
    signal: new AbortController().signal,
  });
  const end = async (at: number): Promise<void> => {
    waits[at]?.end();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const takeAll = (): readonly number[] => {
    const taken: number[] = [];
    for (let at = away.takeReady(); at !== null; at = away.takeReady()) taken.push(at);
    return taken;
  };
  return { away, waits, holds, end, takeAll };
}

it('an answer frees the cells of its model and ends its notice, if the service named no time', async () => {
  const { away, holds, end, takeAll } = openDesk();
  away.defer('m', 1, busy(null));
  away.addIfAway('m', 3);
  away.onAnswer('m');
  expect([takeAll(), away.isEmpty(), holds]).toEqual([
    [1, 3],
    true,
    [
      [2000, 'm'],
      [null, 'm'],
    ],
  ]);
  await end(0);
  expect([takeAll(), holds.length]).toEqual([[], 2]);
});

it('an answer frees no cell before the time that the service asked for is over', async () => {
  const { away, waits, end, takeAll } = openDesk();
  away.defer('m', 1, busy(60_000));
  away.addIfAway('m', 3);
  away.onAnswer('m');
  expect([waits.map(({ ms }) => ms), away.isAway('m'), takeAll()]).toEqual([[63_000], true, []]);
  await end(0);
  expect(takeAll()).toEqual([1]);
  away.onAnswer('m');
  expect([takeAll(), away.isEmpty()]).toEqual([[3], true]);
});

it('a time that the service asks for later extends the wait', async () => {
  const { away, end, takeAll } = openDesk();
  away.defer('m', 1, busy(null));
  away.defer('m', 3, busy(60_000));
  await end(0);
  away.onAnswer('m');
  expect(takeAll()).toEqual([]);
  await end(1);
  expect(takeAll()).toEqual([3]);
});

it('the notice of a model stays when another one goes on; the longest one is shown', () => {
  const hold = (model: string, ms: number): Hold => ({
    cause: 'busy',
    ms,
    isFromService: true,
    message: 'busy',
    model,
  });
  const toNotice = openHoldNotices(() => 1000);
  const shown = [
    toNotice(hold('a', 50), 'a'),
    toNotice(hold('b', 90), 'b'),
    toNotice(hold('b', 10), 'b'),
    toNotice(null, 'b'),
    toNotice(null, 'a'),
  ];
  expect(shown.map((notice) => notice && [notice.model, notice.until])).toEqual([
    ['a', 1050],
    ['b', 1090],
    ['b', 1090],
    ['a', 1050],
    null,
  ]);
});
