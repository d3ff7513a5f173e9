// The rules of this code base as pure functions: source texts in, violations out. `architecture.test.ts` applies them to
// the real files, and to planted violations of each. Nothing in the product imports this file.

import { LAYERS } from './layers.ts';

export interface Source {
  /** From the project's root, with `/`: `src/stream/events.ts`. */
  readonly path: string;
  readonly text: string;
}

type Rule = (sources: readonly Source[]) => string[];

/** How many source files one room may hold. Tests and fixtures don't count. */
const MAX_FILES = 42;

const isTest = (path: string): boolean => /\.(test|e2e|fixture)\.tsx?$/.test(path);
const isServer = (path: string): boolean => path.startsWith('src/server/');
const isCode = (path: string): boolean => /\.tsx?$/.test(path);
const isSrc = (path: string): boolean => path.startsWith('src/');
/** True for the rules and the drawing, whose texts name what they forbid. */
const isRules = (path: string): boolean => path.startsWith('e2e/tools/house/');

/** The room of a file as in the layer table: `web/playground/desk`. Files of src itself have the room ``. */
const roomOf = (path: string): string => path.split('/').slice(1, -1).join('/');

const isInside = (room: string, around: string): boolean => room === around || room.startsWith(`${around}/`);

export const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const IMPORT = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

/** All specifiers that a file imports: static, dynamic and type imports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

/** The project path of an import such as `#web/ui/Button.tsx` or `./Button.tsx`; null for a package. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  if (!specifier.startsWith('.')) return null;
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** file -> the files in `sources` that it imports. */
function graphOf(sources: readonly Source[]): Map<string, string[]> {
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .map((specifier) => resolve(path, specifier))
        .filter((target) => target !== null && known.has(target)) as string[],
    ]),
  );
}

/** room -> the rooms it imports, without tests and fixtures. For the drawing. */
export function roomGraph(sources: readonly Source[]): Map<string, Set<string>> {
  const files = sources.filter(({ path }) => isSrc(path) && isCode(path) && !isTest(path));
  const rooms = new Map<string, Set<string>>();
  for (const [path, targets] of graphOf(files)) {
    const room = roomOf(path);
    const found = rooms.get(room) ?? new Set();
    for (const target of targets) if (roomOf(target) !== room) found.add(roomOf(target));
    rooms.set(room, found);
  }
  return rooms;
}

const findLayerBreaks: Rule = (sources) =>
  sources
    .filter(({ path }) => isSrc(path) && isCode(path))
    .flatMap(({ path, text }) => {
      const room = roomOf(path);
      const allowed = LAYERS[room];
      if (!allowed) return [`${path}: the room ${room} is not in the layer table`];
      return importsOf(text).flatMap((specifier) => {
        if (specifier.startsWith('node:')) {
          return isServer(path) || isTest(path) ? [] : [`${path}: only the server may import ${specifier}`];
        }
        const resolved = resolve(path, specifier);
        if (resolved === null || resolved.endsWith('.css')) return [];
        const target = roomOf(resolved);
        // A test may import all rooms of its own feature, such as `web/playground`.
        if (isTest(path) && isInside(target, room.split('/').slice(0, 2).join('/'))) return [];
        const includes = (name: string): boolean => (isInside(room, name) ? target === name : isInside(target, name));
        const isAllowed = isInside(target, room) || allowed.some(includes);
        return isAllowed ? [] : [`${path}: ${room} must not import ${target}`];
      });
    });

/** Imports between rooms are `#web/ui/Button.tsx`, inside a room `./Button.tsx`. Node needs the extension. */
const findImportForms: Rule = (sources) =>
  sources
    .filter(({ path }) => isSrc(path) && isCode(path))
    .flatMap(({ path, text }) =>
      importsOf(text).flatMap((specifier) => {
        if (!/^[.#~/]|^@\/|^src\//.test(specifier)) return [];
        if (/^\.\/[A-Za-z0-9.]+\.(tsx?|css|json)$/.test(specifier)) return [];
        const isOtherRoom = /^#(shared|web|server)\/([A-Za-z]+\/)+[A-Za-z0-9.]+\.tsx?$/.test(specifier);
        if (isOtherRoom && roomOf(resolve(path, specifier) ?? '') !== roomOf(path)) return [];
        return [`${path}: ${specifier} is neither ./file.ts in the same room nor #floor/room/file.ts in another`];
      }),
    );

/** Import cycles, each as its files in order. */
const findCycles: Rule = (sources) => {
  const graph = graphOf(sources);
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'open') found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
    if (state.has(path)) return;
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
};

/** Files with more than 400 lines, tests too. */
const findSizes: Rule = (sources) =>
  sources
    .filter(({ path }) => isCode(path))
    .flatMap(({ path, text }) => (lineCount(text) > 400 ? [`${path}: ${lineCount(text)} lines, more than 400`] : []));

/** Rooms with more source files than a reader can survey. */
const findFullRooms: Rule = (sources) => {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    if (isSrc(path) && isCode(path) && !isTest(path)) counts.set(roomOf(path), (counts.get(roomOf(path)) ?? 0) + 1);
  }
  return [...counts].flatMap(([room, count]) =>
    count > MAX_FILES ? [`src/${room}: ${count} files, more than ${MAX_FILES}`] : [],
  );
};

/** READMEs that may be longer. The contract's holds the table of all that SPEC leaves open (`ASSUMED` in the code). */
const LONG_READMES: Readonly<Record<string, number>> = { 'src/shared/contract/README.md': 90 };

/** Each room of a floor has a README of 10 to 40 lines, which covers the rooms inside it too. */
const findReadmes: Rule = (sources) => {
  const rooms = new Set(
    sources.flatMap(({ path }) => (/^src\/(?:shared|web|server)\/\w+\//.exec(path) ?? []).map((start) => start)),
  );
  return [...rooms].flatMap((room) => {
    const readme = sources.find(({ path }) => path === `${room}README.md`);
    if (!readme) return [`${room}README.md is missing`];
    const count = lineCount(readme.text);
    const max = LONG_READMES[readme.path] ?? 40;
    return count < 10 || count > max ? [`${readme.path}: ${count} lines, not 10 to ${max}`] : [];
  });
};

/** A test is beside its subject and has its name. */
const findTestNames: Rule = (sources) => {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path }) => {
    if (!isSrc(path) || !/\.test\.tsx?$/.test(path)) return [];
    const subject = path.replace(/\.test\.tsx?$/, '');
    // `deskSaver.tabs.test.ts` tests one part of deskSaver.
    const names = [subject, subject.replace(/\.\w+$/, '')];
    const isNamed = names.some((name) => ['.ts', '.tsx', '.css'].some((ending) => paths.has(`${name}${ending}`)));
    return isNamed ? [] : [`${path}: no file of that name is beside it`];
  });
};

/** Each test asserts something, and only tests use fixtures. */
const findFixtureUse: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    if (!isSrc(path) || !isCode(path)) return [];
    const isEmpty = /\.test\.tsx?$/.test(path) && !/\bexpect\b|\bassert\w*\(/.test(text);
    const used = isTest(path) ? [] : importsOf(text).filter((specifier) => specifier.includes('.fixture.'));
    return [
      ...(isEmpty ? [`${path}: asserts nothing`] : []),
      ...used.map((specifier) => `${path}: the product imports the fixture ${specifier}`),
    ];
  });

const findBarrels: Rule = (sources) =>
  sources
    .filter(({ path }) => isSrc(path) && isCode(path))
    .flatMap(({ path, text }) => {
      if (/\/index\.tsx?$/.test(path)) return [`${path}: an index file`];
      return /^export\s(type\s)?(\*|\{)[^;]*\sfrom\s/m.test(text) ? [`${path}: passes on another file's exports`] : [];
    });

const VAGUE = /^(utils?|helpers?|commons?|types?|lib|misc)$/i;

/** Files whose names differ only in case: on many disks an import would find the wrong one. */
const findCaseClashes: Rule = (sources) => {
  const names = new Map<string, string>();
  return sources
    .filter(({ path }) => isCode(path))
    .flatMap(({ path }) => {
      const name = path.replace(/\.tsx?$/, '');
      const other = names.get(name.toLowerCase()) ?? name;
      names.set(name.toLowerCase(), name);
      return other === name ? [] : [`${path}: only case tells it from ${other}`];
    });
};

const findNames: Rule = (sources) =>
  sources
    .filter(({ path }) => isSrc(path))
    .flatMap(({ path, text }) => {
      const parts = path.split('/');
      const file = parts.at(-1) ?? '';
      const name = file.replace(/(\.test|\.fixture)?\.\w+$/, '');
      const found: string[] = [];
      if ([...parts.slice(1, -1), name].some((part) => VAGUE.test(part)))
        found.push(`${path}: a name that says nothing`);
      if (!isCode(path)) return found;
      if (parts.length > 5) found.push(`${path}: deeper than src/floor/room/part/file`);
      if (file.endsWith('.tsx') && path !== 'src/web/main.tsx' && !isTest(path)) {
        const exports = [
          ...text.matchAll(
            /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|const|class|let|type|interface)?\s*([\w{*]+)/gm,
          ),
        ].map((match) => match[1]);
        if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) found.push(`${path}: a component is named in PascalCase`);
        if (exports.length !== 1 || exports[0] !== name)
          found.push(`${path}: exports ${exports.join(', ') || 'nothing'}, not ${name} alone`);
      }
      if (file.endsWith('.ts') && !isTest(path)) {
        if (!/^[a-z][A-Za-z0-9]*(\.d)?$/.test(file.slice(0, -3)))
          found.push(`${path}: a file that is no component is named in camelCase`);
        if (/^(\/\/.*\n){4}/.test(text)) found.push(`${path}: opens with more than three lines of comment`);
      }
      return found;
    });

const IN_CODE: readonly (readonly [RegExp, string])[] = [
  [/\bas any\b|<any>|\bany\[\]|: any\s*[;,)=|\]}]|<any,|, any>/, 'any'],
  [/@ts-(ignore|expect-error|nocheck)/, 'a switched-off compiler'],
  [/(oxlint|eslint)-disable/, 'a switched-off linter'],
  [/\beval\(|\bnew Function\(/, 'code from text'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'unfinished work'],
  [
    /\b(?!README|SPEC|LICENSE|CHANGELOG)[A-Z][A-Z-]{2,}\.md\b|['"`(\s]\/(work|home)\//,
    'a name from outside the project',
  ],
];

/** A test may look at the HTML that is there; the product makes none. */
const RAW_HTML = /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/;

/** One outside of functions has the page read all locales before its first paint, 29 ms. */
const EARLY_FORMATTER = /^(export )?const [^=\n]+= new Intl\./m;

/** A thread or process of the service's own code is opened by server/apart, so that all end and are told of in one way. */
const OPENS_APART = /\bnew Worker\(|\bfork\(/;

/** Text that no file may contain. The rules' own files name it, so they are skipped. */
const findBannedText: Rule = (sources) =>
  sources
    .filter(({ path }) => isCode(path) && !isRules(path))
    .flatMap(({ path, text }) => {
      const found = IN_CODE.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${path}: ${what}`);
      if (isSrc(path) && !isTest(path) && RAW_HTML.test(text)) found.push(`${path}: raw HTML`);
      if (isServer(path) && !path.startsWith('src/server/apart/') && !isTest(path) && OPENS_APART.test(text))
        found.push(`${path}: a thread or process that server/apart did not open`);
      const isBrowser = isSrc(path) && !isServer(path) && !isTest(path);
      if (isBrowser && /\bconsole\.\w+\(/.test(text)) found.push(`${path}: console in the browser`);
      if (isBrowser && EARLY_FORMATTER.test(text)) found.push(`${path}: a formatter that is made before it is needed`);
      return found;
    });

const IN_TESTS: readonly (readonly [RegExp, string])[] = [
  [/\b(it|test|describe)\.(skip|only|todo|fixme|fails)\b/, 'a test that does not count'],
  [/waitForTimeout|networkidle/, 'a wait that guesses'],
  [/\b(page|context)\.route\(|routeFromHAR/, 'a made-up service'],
  [/expect\([^;\n]*performance\.now\(\)/, 'a clock that judges'],
];

/** Tests that can't be trusted, in all files of e2e and the tests of src. */
const findBadTests: Rule = (sources) =>
  sources
    .filter(({ path }) => isCode(path) && !isRules(path) && (isTest(path) || path.startsWith('e2e/')))
    .flatMap(({ path, text }) =>
      IN_TESTS.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${path}: ${what}`),
    );

export interface PackageFile {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages whose program has another name. */
const PROGRAMS: Readonly<Record<string, string>> = { typescript: 'tsc', '@playwright/test': 'playwright' };

/** Dependencies that are not pinned to one version, or that nothing uses. */
export function findPackageFaults(file: PackageFile, sources: readonly Source[]): string[] {
  const all = { ...file.dependencies, ...file.devDependencies };
  const scripts = ` ${Object.values(file.scripts).join(' ')} `;
  const isUsed = (name: string): boolean => {
    if (name.startsWith('@types/')) return name === '@types/node' || name.slice('@types/'.length) in all;
    const quoted = new RegExp(`['"]${name.replaceAll('.', '\\.')}['"/]`);
    return (
      scripts.includes(` ${PROGRAMS[name] ?? name} `) ||
      sources.some(({ path, text }) => !isRules(path) && quoted.test(text))
    );
  };
  const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  const idle = Object.keys(all).filter((name) => !isUsed(name));
  return [
    ...loose.map(([name, version]) => `${name}: ${version} is not one exact version`),
    ...idle.map((name) => `${name}: nothing imports it`),
  ];
}

export interface LockFile {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

/** Optional (platform) packages that the lock file names but lacks: `npm ci` refuses such a lock file. */
export function findLockFaults({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path}: ${name} is missing from the lock file`),
  );
}

/** Every rule about source texts, by its name. */
export const RULES = {
  layers: findLayerBreaks,
  'import forms': findImportForms,
  cycles: findCycles,
  sizes: findSizes,
  'full rooms': findFullRooms,
  readmes: findReadmes,
  'test names': findTestNames,
  'fixture use': findFixtureUse,
  barrels: findBarrels,
  names: findNames,
  'case clashes': findCaseClashes,
  'banned text': findBannedText,
  tests: findBadTests,
} as const satisfies Readonly<Record<string, Rule>>;
