import { expect, it } from 'vitest';
import { isUuid } from '#core/contract/uuid.ts';
import { toEvidence, type RunEvidence } from './evidence.ts';
import { curve, events, losses, NOW, outputs } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { ownProcesses } from './liveness.ts';
import { openRunIds, toRootId } from './runIdentity.ts';

const runsOf = (...evidence: RunEvidence[]) => joinRuns(evidence, '/r');
const idsOf = (...evidence: RunEvidence[]) => openRunIds('root').assign(runsOf(...evidence));

const log = (folder: string, start = 2): RunEvidence =>
  toEvidence({
    format: 'log',
    key: folder,
    folder,
    curves: new Map([['loss', curve(losses(10, 60, 10, start), NOW)]]),
  });

it('are UUIDs, other ones in another root', () => {
  const [id] = idsOf(log('a'));
  expect(isUuid(id ?? '')).toBe(true);
  expect(openRunIds('other').assign(runsOf(log('a')))).not.toEqual([id]);
  expect(toRootId('/a')).not.toBe(toRootId('/b'));
});

it.each<[string, (folder: string) => RunEvidence]>([
  ['a tracker', (folder) => toEvidence({ format: 'wandb', key: folder, folder, trackerId: 'abc' })],
  ['event files', (folder) => events(folder, 'Aug22', curve(losses(10, 20, 10)), { startedAt: NOW })],
  ['a log', log],
])('stay when the folder of %s is moved', (_what, make) => {
  expect(idsOf(make('old/place'))).toEqual(idsOf(make('new')));
});

it('follow the path where nothing else is known', () => {
  expect(idsOf(outputs('a'))).toEqual(idsOf(outputs('a')));
  expect(idsOf(outputs('a'))).not.toEqual(idsOf(outputs('b')));
});

it('tell copies in one root apart, and the first keeps its id', () => {
  const ids = openRunIds('root');
  const [original] = ids.assign(runsOf(log('b')));
  const both = ids.assign(runsOf(log('a-copy'), log('b')));
  expect(new Set(both).size).toBe(2);
  expect(both[1]).toBe(original);
});

it('tell runs with other losses apart', () => {
  expect(new Set(idsOf(log('a'), log('b', 3))).size).toBe(2);
});

it('stay when a tracker is found that speaks of the same run', () => {
  const ids = openRunIds('root');
  const [first] = ids.assign(runsOf(outputs('a')));
  const tracker = toEvidence({ format: 'wandb', key: 'w', folder: 'a/wandb/w', trackerId: 'w' });
  expect(ids.assign(runsOf(tracker, outputs('a')))).toEqual([first]);
});

it('stay when a run grows', () => {
  const grown = (length: number): RunEvidence =>
    toEvidence({ ...log('a'), curves: new Map([['loss', curve(losses(10, 10 * length, 10), NOW)]]) });
  expect(idsOf(grown(4))).toEqual(idsOf(grown(40)));
  const ids = openRunIds('root');
  expect(ids.assign(runsOf(grown(1)))).toEqual(ids.assign(runsOf(grown(40))));
});

it('the own process is found, with its start', () => {
  expect(ownProcesses.isAlive(process.pid)).toBe(true);
  const started = ownProcesses.startedAt(process.pid);
  if (process.platform === 'linux')
    expect(Math.abs(started! - (Date.now() - process.uptime() * 1000))).toBeLessThan(60_000);
});
