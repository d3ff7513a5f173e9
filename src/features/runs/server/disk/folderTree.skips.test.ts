import { expect, it } from 'vitest';
import { findSkipReason, isOwnLink } from './folderTree.ts';

it.each([
  ['repo/node_modules', 'packages of Node'],
  ['repo/.git', 'the history of a repository'],
  ['x/last_run_prepared', "Axolotl's tokenized rows"],
  ['hub/models--Qwen--Qwen3-0.6B/blobs', 'Hugging Face cache'],
  ['a/wandb/run-20260822_100704-abc/files/media', 'media of Weights & Biases'],
])('skips %s', (path, why) => expect(findSkipReason(path)).toContain(why));

it.each([
  '',
  'outputs',
  'blobs',
  'media',
  'run/files/media',
  'hub/models--Qwen--Qwen3-0.6B/snapshots',
  'wandb/run-1-a/files',
  '.cache',
  'constructor',
  'toString',
])('looks into %j', (path) => expect(findSkipReason(path)).toBe(null));

it("says nothing of W&B's link to the log of its own service, and speaks of every other link", () => {
  expect(isOwnLink('wandb/offline-run-20261128_100000-abc/logs/debug-core.log')).toBe(true);
  expect(isOwnLink('run-20261128_100000-abc/logs/debug-core.log')).toBe(true);
  for (const path of ['outputs/logs/debug-core.log', 'wandb/run-20261128_100000-abc/logs/debug.log', 'data'])
    expect(isOwnLink(path)).toBe(false);
});
