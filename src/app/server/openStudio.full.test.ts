import { expect, it } from 'vitest';
import { openStudio } from './openStudio.ts';
import { StartError } from '#service/database/startError.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

it('a start whose disk is full says so, and opens once there is room', async () => {
  const dataDir = await folders.withDatabase('tables');
  const now = (): Date => {
    throw new Error('could not extend file "base/5/2619": No space left on device');
  };
  const error: unknown = await openStudio({ dataDir, sample: true, now }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toMatch(/^The disk of .* is full .*Free at least 96 MiB there and start again/);
  expect(message).not.toMatch(/backup|move it away|--data/);
  const studio = await openStudio({ dataDir, sample: true });
  expect(await studio.listProjects()).toHaveLength(1);
  await studio.close();
}, 60_000);
