// For a test run: one real PostgreSQL, with databases from which those of test files are made.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { SAMPLE_DATE, toTemplateName, type Contents } from './folders.fixture.ts';
import { openStudio } from '#app/server/openStudio.ts';
import { findBinaries, openRealPostgres } from './realPostgres.fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error('There is no PostgreSQL for this system. Leave out the project "postgres".');
  const postgres = await openRealPostgres(binaries);
  const folder = mkdtempSync(join(tmpdir(), 'model-studio-templates-'));
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const make = async (contents: Contents, from: string): Promise<void> => {
    const name = toTemplateName(contents);
    await client.query(`create database ${name} template ${from}`);
    if (contents === 'nothing') return;
    const url = new URL(postgres.url);
    url.pathname = name;
    const sample = contents === 'sample';
    const options = { dataDir: folder, databaseUrl: url.href, sample, now: () => SAMPLE_DATE };
    await (await openStudio(options)).close();
  };
  await make('nothing', 'template1');
  await make('tables', toTemplateName('nothing'));
  await make('sample', toTemplateName('tables'));
  await client.end();
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
