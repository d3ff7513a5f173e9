import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';
import { drawFloors } from './floors.ts';

const src = (path: string, text: string) => ({ path: `src/${path}`, text });

describe('drawFloors', () => {
  it('is what the README shows; `npm run draw` writes it anew', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('(e2e/screens/floors.svg)');
    expect(readFileSync('e2e/screens/floors.svg', 'utf8')).toBe(drawFloors(readSources()));
  });

  it('draws floors and rooms, an inner room as the one around it, and no arrow that a longer path replaces', () => {
    const sources = [
      src('web/ui/a.ts', "import '#shared/contract/a.ts';"),
      src('web/tree/index/a.ts', "import '#web/ui/a.ts';\nimport '#shared/contract/a.ts';"),
      src('web/tree/a.ts', "import '#web/tree/index/a.ts';"),
      src('shared/contract/a.ts', ''),
      src('server/engine/a.ts', "import '#shared/contract/a.ts';"),
      src('server/engine/a.test.ts', "import '#web/ui/a.ts';"),
    ];
    const drawing = drawFloors(sources);
    const labels = [...drawing.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(labels).toEqual(['web', 'server', 'shared', 'tree', 'ui', 'engine', 'contract']);
    const arrows = [...drawing.matchAll(/<!-- (.*) --><path/g)].map(([, arrow]) => arrow);
    expect(arrows).toEqual(['server/engine > shared/contract', 'web/tree > web/ui', 'web/ui > shared/contract']);
  });

  it('puts a room above each room of its floor that it imports', () => {
    const sources = [
      src('web/app/a.ts', "import '#web/tree/a.ts';\nimport '#web/notes/a.ts';"),
      src('web/tree/a.ts', "import '#web/api/a.ts';"),
      src('web/notes/a.ts', ''),
      src('web/api/a.ts', ''),
      src('server/engine/a.ts', ''),
      src('shared/contract/a.ts', ''),
    ];
    const heights = new Map(
      [...drawFloors(sources).matchAll(/y="(\d+)">(app|tree|notes|api)</g)].map(([, y, room]) => [room, Number(y)]),
    );
    const at = (room: string): number => heights.get(room) ?? Number.NaN;
    expect(at('app')).toBeLessThan(at('tree'));
    expect(at('tree')).toBeLessThan(at('api'));
    expect(at('notes')).toBe(at('api'));
  });
});
