// `npm run draw`: writes the drawing of the three floors into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawFloors } from '../src/floors.ts';
import { readSources } from './sources.ts';

const file = join(import.meta.dirname, '..', 'README.md');
const PLACE = /(<!-- floors -->\n)[\s\S]*?(<!-- \/floors -->)/;
const drawing = drawFloors(readSources());
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(PLACE, (_all, start: string, end: string) => `${start}${drawing}${end}`),
);
