// A database that was made beforehand (openEmbedded.ts): to make one takes three seconds of processor time, to unpack it
// half of one.
import { existsSync, readFileSync } from 'node:fs';

export const EMPTY_DATABASE = 'emptyDatabase.tar.gz';

/** Beside the code where the service is built; the sources have none. */
const PLACE = new URL('./emptyDatabase.tar.gz', import.meta.url);

/** null: there is none, and a new database is made. */
export const readEmptyDatabase = (): Blob | null => (existsSync(PLACE) ? new Blob([readFileSync(PLACE)]) : null);
