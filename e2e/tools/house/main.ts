// `npm run draw`: writes the drawing of the three floors that the README shows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawFloors } from './floors.ts';
import { readSources } from './sources.ts';

writeFileSync(join(import.meta.dirname, '..', '..', 'screens', 'floors.svg'), drawFloors(readSources()));
