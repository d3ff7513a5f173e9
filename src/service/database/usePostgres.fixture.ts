// For the test project "postgres": data folders of its files have a database of the real PostgreSQL.
import { afterAll, inject } from 'vitest';

process.env['TEST_POSTGRES_URL'] = inject('postgresUrl');
// A worker may go on with files of another project.
afterAll(() => {
  delete process.env['TEST_POSTGRES_URL'];
});
