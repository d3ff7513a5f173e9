// Draws the three floors of the README from the imports. `npm run draw` writes the drawing, and a test compares it.
import { roomGraph, type Source } from './architecture.ts';

const FLOORS = ['web', 'server', 'shared'] as const;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** An inner room is drawn as the room around it: `web/playground/desk` as `web/playground`. */
const outer = (room: string): string => room.split('/').slice(0, 2).join('/');

function mergeInner(rooms: Graph): Map<string, Set<string>> {
  const merged = new Map<string, Set<string>>();
  for (const [room, targets] of rooms) {
    if (!room.includes('/')) continue;
    const found = merged.get(outer(room)) ?? new Set<string>();
    for (const target of targets) if (outer(target) !== outer(room)) found.add(outer(target));
    merged.set(outer(room), found);
  }
  return merged;
}

/** Leaves out an arrow if a longer path leads to the same room, so that a reader can follow the arrows. */
function withoutShortcuts(rooms: Graph): Map<string, string[]> {
  const reach = new Map<string, ReadonlySet<string>>();
  const reachOf = (room: string): ReadonlySet<string> => {
    const known = reach.get(room);
    if (known) return known;
    reach.set(room, new Set());
    const found = new Set<string>();
    for (const target of rooms.get(room) ?? []) {
      found.add(target);
      for (const far of reachOf(target)) found.add(far);
    }
    reach.set(room, found);
    return found;
  };
  return new Map(
    [...rooms].map(([room, targets]) => [
      room,
      [...targets].filter((target) => ![...targets].some((other) => other !== target && reachOf(other).has(target))),
    ]),
  );
}

const toName = (room: string): string => room.replace('/', '_');

/** A mermaid flowchart: a box for each floor, a node for each room, an arrow from the importer to the imported room. */
export function drawFloors(sources: readonly Source[]): string {
  const rooms = mergeInner(roomGraph(sources));
  const arrows = withoutShortcuts(rooms);
  const lines = ['```mermaid', 'flowchart TB'];
  for (const floor of FLOORS) {
    const own = [...rooms.keys()].filter((room) => room.startsWith(`${floor}/`)).sort();
    const nodes = own.map((room) => `    ${toName(room)}[${room.slice(floor.length + 1)}]`);
    lines.push(`  subgraph ${floor}`, ...nodes, '  end');
  }
  for (const room of [...arrows.keys()].sort()) {
    for (const target of (arrows.get(room) ?? []).toSorted()) lines.push(`  ${toName(room)} --> ${toName(target)}`);
  }
  return [...lines, '```', ''].join('\n');
}
