import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSources } from '../e2e/sources.ts';
import { drawFloors } from './floors.ts';

const src = (path: string, text: string) => ({ path: `src/${path}`, text });

describe('drawFloors', () => {
  it('is what the README shows; `npm run draw` writes it anew', () => {
    const shown = /<!-- floors -->\n([\s\S]*?)<!-- \/floors -->/.exec(readFileSync('README.md', 'utf8'))?.[1];
    expect(shown).toBe(drawFloors(readSources()));
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
    expect(drawFloors(sources).split('\n')).toEqual([
      '```mermaid',
      'flowchart TB',
      '  subgraph web',
      '    web_tree[tree]',
      '    web_ui[ui]',
      '  end',
      '  subgraph server',
      '    server_engine[engine]',
      '  end',
      '  subgraph shared',
      '    shared_contract[contract]',
      '  end',
      '  server_engine --> shared_contract',
      '  web_tree --> web_ui',
      '  web_ui --> shared_contract',
      '```',
      '',
    ]);
  });
});
