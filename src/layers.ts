// The table of allowed imports between rooms. architecture.ts checks the code against it.

/** The pure floor, which the browser and the service share. */
const SHARED = ['shared/contract', 'shared/stream', 'shared/training', 'shared/evaluation'];
const CLIENT = ['shared/contract', 'web/api', 'web/session', 'web/ui'];
const PLAYGROUND = [...SHARED, 'web/api', 'web/session', 'web/ui', 'web/playground/desk'];

/**
 * The rooms that a room may import. A room is a folder of code, named by its path below src.
 * An entry includes the rooms inside it, and a room may always import the rooms inside itself.
 * An inner room may import the room around it only if the table lists that room, and then without its other rooms.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'shared/contract': [],
  'shared/stream': ['shared/contract'],
  'shared/training': ['shared/contract'],
  'shared/evaluation': ['shared/contract', 'shared/stream'],

  'web/ui': ['shared/contract'],
  'web/ui/timing': [],
  'web/ui/fields': ['shared/contract', 'web/ui'],
  'web/ui/lazy': ['shared/contract', 'web/ui', 'web/ui/fields'],
  'web/session': ['shared/contract'],
  'web/api': ['shared/contract', 'shared/stream', 'web/ui/timing'],
  'web/plots': ['shared/contract', 'web/ui'],
  'web/plots/scales': ['shared/contract'],
  'web/markdown': ['shared/contract', 'web/ui'],
  'web/differences': ['shared/contract', 'shared/evaluation', 'web/ui'],
  'web/tree': CLIENT,
  'web/tree/index': ['shared/contract', 'web/ui'],
  'web/tree/activity': ['shared/contract', 'web/session', 'web/tree/index'],
  'web/recommendations': [...CLIENT, 'shared/training', 'web/plots'],
  'web/experiments': [...CLIENT, 'shared/training', 'web/plots'],
  'web/experiments/rows': [...CLIENT, 'shared/training', 'web/plots'],
  'web/experiments/overview': [
    ...CLIENT,
    'shared/training',
    'shared/evaluation',
    'web/experiments',
    'web/experiments/rows',
  ],
  'web/curves': [...CLIENT, 'shared/training', 'web/plots'],
  'web/curves/lines': ['shared/contract', 'shared/training', 'web/api', 'web/plots', 'web/ui'],
  'web/compare': [...CLIENT, 'shared/training', 'web/plots'],
  'web/grid': [...CLIENT, 'shared/stream', 'shared/evaluation', 'web/differences'],
  'web/grid/workers': ['shared/contract', 'shared/evaluation', 'web/ui'],
  'web/grid/cells': ['shared/contract', 'shared/evaluation', 'web/ui'],
  'web/playground/desk': [...SHARED, 'web/api', 'web/session', 'web/ui'],
  'web/playground/storage': PLAYGROUND,
  'web/playground/asking': [...PLAYGROUND, 'web/playground/storage'],
  'web/playground/records': [...PLAYGROUND, 'web/playground/storage'],
  'web/playground/sessions': [...PLAYGROUND, 'web/playground/storage'],
  'web/playground/schemas': PLAYGROUND,
  'web/playground/conversation': [
    ...PLAYGROUND,
    'web/markdown',
    'web/differences',
    'web/playground/asking',
    'web/playground/records',
    'web/playground/sessions',
    'web/playground/schemas',
  ],
  'web/playground/parameters': [
    ...PLAYGROUND,
    'web/playground/asking',
    'web/playground/storage',
    'web/playground/sessions',
    'web/playground/schemas',
    'web/playground/conversation',
  ],
  'web/playground': [...CLIENT, 'shared/stream', 'shared/evaluation', 'web/markdown', 'web/grid'],
  'web/app/layout': CLIENT,
  'web/app/palette': [...CLIENT, 'web/app/layout', 'web/tree'],
  'web/app/runs': [...CLIENT, 'shared/training', 'web/plots', 'web/experiments', 'web/curves'],
  'web/app': [
    ...CLIENT,
    'shared/stream',
    'shared/training',
    'web/plots',
    'web/tree',
    'web/recommendations',
    'web/experiments',
    'web/curves',
    'web/compare',
    'web/playground',
  ],
  web: ['web/app', 'web/playground'],

  'server/engine/grammar': ['shared/contract'],
  'server/engine': ['shared/contract', 'shared/stream'],
  'server/engine/gguf': ['shared/contract', 'server/engine'],
  'server/engine/upstream': ['shared/contract', 'shared/stream', 'server/engine'],
  'server/studio': ['shared/contract', 'shared/training', 'server/engine'],
  'server/runs': ['shared/contract'],
  'server/runs/disk': ['shared/contract', 'server/runs'],
  'server/runs/formats': ['shared/contract', 'server/runs'],
  'server/serving': ['shared/contract', 'server/engine', 'server/engine/gguf', 'server/runs', 'server/runs/disk'],
  'server/service': ['shared/contract', 'shared/stream', 'server/studio', 'server/engine', 'server/runs'],
  'server/service/gateway': ['shared/contract', 'shared/stream', 'server/engine', 'server/service'],
  'server/service/launch': [
    'shared/contract',
    'server/engine',
    'server/studio',
    'server/runs',
    'server/service',
    'server/service/gateway',
  ],
};
