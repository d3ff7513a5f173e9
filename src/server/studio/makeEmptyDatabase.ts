// The files from which new embedded databases are made (disk/emptyDatabase.ts).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { migrate, readMigrations } from './migrate.ts';
import { openEmbedded } from './openEmbedded.ts';

/** A packed database with this version's tables and nothing in them. */
export async function makeEmptyDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'model-studio-empty-'));
  try {
    const database = await openEmbedded(folder);
    await migrate(database, await readMigrations());
    await database.close();
    const client = await PGlite.create(join(folder, 'database'));
    const packed = await client.dumpDataDir('gzip');
    await client.close();
    return new Uint8Array(await packed.arrayBuffer());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
