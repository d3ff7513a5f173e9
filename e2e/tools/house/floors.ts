// Draws the three floors, which the README shows, from the imports. `npm run draw` writes the drawing, and a test
// compares it.
import { roomGraph, type Source } from './architecture.ts';

const FLOORS = ['web', 'server', 'shared'] as const;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;
type Arrows = ReadonlyMap<string, readonly string[]>;

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
  return new Map([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Leaves out an arrow if a longer path leads to the same room, so that a reader can follow the arrows. */
function withoutShortcuts(rooms: Graph): Arrows {
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
      [...targets]
        .filter((target) => ![...targets].some((other) => other !== target && reachOf(other).has(target)))
        .sort(),
    ]),
  );
}

const floorOf = (room: string): string => room.slice(0, room.indexOf('/'));

/** How many rows a room stands above the lowest of its floor: one more than any room of the floor that it imports. */
function toHeights(arrows: Arrows): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const below = (arrows.get(room) ?? []).filter((target) => floorOf(target) === floorOf(room));
    const height = below.length === 0 ? 0 : 1 + Math.max(...below.map(heightOf));
    heights.set(room, height);
    return height;
  };
  for (const room of arrows.keys()) heightOf(room);
  return heights;
}

const WIDTH = 1290;
const BOX = { width: 120, height: 26, gap: 8 };
const ROW = 68;
const PAD = 18;

interface Box {
  /** Middle of the box, in pixels. */
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
}

interface Band {
  readonly floor: string;
  readonly y: number;
  readonly height: number;
}

/** A floor is a band, and in it a room stands above the rooms that it imports, near the middle of those that import it. */
function layOut(arrows: Arrows): { readonly boxes: ReadonlyMap<string, Box>; readonly bands: readonly Band[] } {
  const heights = toHeights(arrows);
  const boxes = new Map<string, Box>();
  const bands: Band[] = [];
  let y = 0;
  const middle = WIDTH / 2;
  for (const floor of FLOORS) {
    const rooms = [...arrows.keys()].filter((room) => floorOf(room) === floor);
    const rows = 1 + Math.max(...rooms.map((room) => heights.get(room) ?? 0));
    const pullOf = (room: string): number => {
      const above = [...arrows].flatMap(([from, targets]) => {
        const box = boxes.get(from);
        return box && targets.includes(room) ? [box.x] : [];
      });
      return above.length === 0 ? middle : above.reduce((sum, x) => sum + x, 0) / above.length;
    };
    for (let row = rows - 1; row >= 0; row -= 1) {
      const own = rooms
        .filter((room) => heights.get(room) === row)
        .map((room) => ({ room, pull: pullOf(room) }))
        .sort((a, b) => a.pull - b.pull || (a.room < b.room ? -1 : 1));
      const step = Math.max(BOX.width + BOX.gap, WIDTH / (own.length + 1));
      const top = y + PAD + (rows - 1 - row) * ROW;
      own.forEach(({ room }, index) => boxes.set(room, { x: middle + (index - (own.length - 1) / 2) * step, y: top }));
    }
    const height = 2 * PAD + (rows - 1) * ROW + BOX.height;
    bands.push({ floor, y, height });
    y += height + PAD;
  }
  return { boxes, bands };
}

const round = (value: number): string => String(Math.round(value));

/** `isFar`: it leads to another floor. */
function drawArrow(from: Box, to: Box, isFar: boolean): string {
  const [start, end] = [from.y + BOX.height, to.y - 1];
  const bend = Math.min(ROW, (end - start) / 2);
  const curve = `C${round(from.x)} ${round(start + bend)} ${round(to.x)} ${round(end - bend)} ${round(to.x)} ${round(end)}`;
  return `<path${isFar ? ' class="far"' : ''} d="M${round(from.x)} ${round(start)}${curve}"/>`;
}

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2430}
.floor{fill:#f5f6f8}.name{font-weight:600;font-size:15px}
.room{fill:#fff;stroke:#9aa3b2}.label{text-anchor:middle}
path{fill:none;stroke:#8a93a3;marker-end:url(#head)}.far{stroke-opacity:.35;stroke-dasharray:3 3}#head path{fill:#8a93a3;stroke:none}
@media(prefers-color-scheme:dark){text{fill:#e6e9ef}.floor{fill:#1b1f27}.room{fill:#262b35;stroke:#5b6474}}`;

/** An SVG image: a band for each floor, a box for each room, an arrow from the importer to the imported room. */
export function drawFloors(sources: readonly Source[]): string {
  const arrows = withoutShortcuts(mergeInner(roomGraph(sources)));
  const { boxes, bands } = layOut(arrows);
  const height = Math.max(...bands.map((band) => band.y + band.height));
  const floors = bands.flatMap(({ floor, y, height: tall }) => [
    `<rect class="floor" x="0" y="${round(y)}" width="${String(WIDTH)}" height="${round(tall)}" rx="8"/>`,
    `<text class="name" x="14" y="${round(y + 26)}">${floor}</text>`,
  ]);
  const lines = [...arrows].flatMap(([room, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [boxes.get(room), boxes.get(target)];
      return from && to
        ? [`<!-- ${room} > ${target} -->${drawArrow(from, to, floorOf(room) !== floorOf(target))}`]
        : [];
    }),
  );
  const rooms = [...boxes].map(([room, { x, y }]) => {
    const frame = `<rect class="room" x="${round(x - BOX.width / 2)}" y="${round(y)}" width="${String(BOX.width)}"`;
    const label = `<text class="label" x="${round(x)}" y="${round(y + 18)}">${room.slice(room.indexOf('/') + 1)}</text>`;
    return `${frame} height="${String(BOX.height)}" rx="5"/>${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${round(height)}">`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="head" markerWidth="7" markerHeight="7" refX="6" refY="3.5" orient="auto">' +
      '<path d="M0 0L7 3.5L0 7z"/></marker></defs>',
    ...floors,
    ...lines,
    ...rooms,
    '</svg>',
    '',
  ].join('\n');
}
