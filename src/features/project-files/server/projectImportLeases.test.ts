import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { projects } from '#service/database/tables.ts';
import { hideProject, openTransferLeases } from './projectImportLeases.ts';

const database = await keepDatabase();

it('hides no project whose lease somebody else has, because nobody would remove it', async () => {
  const project = { id: randomUUID(), name: 'Desk', created_at: new Date(0) };
  const [here, there] = [openTransferLeases(database), openTransferLeases(database)];
  const deps = { database, dataDir: '/nowhere', leases: here };
  const lease = (await there.take(database.orm, project.id))!;
  await expect(hideProject(deps, project)).rejects.toMatchObject({ code: 'ids_taken' });
  expect(await database.orm.$count(projects)).toBe(0);
  await there.release(database.orm, lease);
  const hidden = await hideProject(deps, project);
  await hidden.show(async () => undefined);
  expect(await database.orm.select().from(projects)).toMatchObject([{ id: project.id, deleted_at: null }]);
});
