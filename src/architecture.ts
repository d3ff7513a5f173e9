// The rules of this code base as pure functions over source texts: sources in, violations out. `architecture.test.ts`
// applies them to the real files, and to planted violations of each. Nothing in the product imports this file.

export interface Source {
  /** From the project's root, with `/`: `src/stream/events.ts`. */
  readonly path: string;
  readonly text: string;
}

type Rule = (sources: readonly Source[]) => string[];

/** Which folders of src a folder may import besides itself. `.` is src itself. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  '.': ['app', 'playground', 'recommendations'],
  contract: [],
  stream: ['contract'],
  ui: ['contract'],
  session: ['contract'],
  training: ['contract'],
  api: ['contract', 'stream'],
  plots: ['contract', 'ui'],
  markdown: ['contract', 'ui'],
  evaluation: ['contract', 'stream'],
  tree: ['contract', 'stream', 'api', 'session', 'ui'],
  recommendations: ['contract', 'stream', 'training', 'api', 'session', 'ui', 'plots'],
  experiments: ['contract', 'stream', 'training', 'api', 'session', 'ui', 'plots'],
  compare: ['contract', 'stream', 'training', 'api', 'session', 'ui', 'plots'],
  grid: ['contract', 'stream', 'api', 'session', 'ui', 'evaluation'],
  playground: ['contract', 'stream', 'api', 'session', 'ui', 'markdown', 'evaluation', 'grid'],
  app: ['contract', 'stream', 'training', 'api', 'session', 'ui', 'plots', 'tree', 'recommendations', 'experiments', 'compare', 'playground'],
  engine: ['contract', 'stream'],
  studio: ['contract', 'engine'],
  service: ['contract', 'stream', 'studio', 'engine'],
};

const SERVICE_SIDE: ReadonlySet<string> = new Set(['engine', 'studio', 'service']);

export const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path);
const isCode = (path: string): boolean => /\.tsx?$/.test(path);
const isSrc = (path: string): boolean => path.startsWith('src/');
const isRules = (path: string): boolean => path.startsWith('src/architecture.');

function folderOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? (parts[1] ?? '.') : '.';
}

export const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const IMPORT = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Every specifier that a file imports, statically, dynamically or for its types. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

/** The project path of a relative import, without extension. */
function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** file -> the files it imports, as far as they are in `sources`. */
function graphOf(sources: readonly Source[]): Map<string, string[]> {
  const byName = new Map(sources.filter(({ path }) => isCode(path)).map(({ path }) => [path.replace(/\.tsx?$/, ''), path]));
  return new Map(
    sources.map(({ path, text }) => {
      const found = importsOf(text).filter((specifier) => specifier.startsWith('.')).map((specifier) => byName.get(resolve(path, specifier)));
      return [path, found.filter((target) => target !== undefined)];
    }),
  );
}

export const findLayerBreaks: Rule = (sources) =>
  sources.filter(({ path }) => isSrc(path) && isCode(path)).flatMap(({ path, text }) => {
    const folder = folderOf(path);
    const allowed = LAYERS[folder];
    if (!allowed) return [`${path}: the folder ${folder} is not in the layer table`];
    return importsOf(text).flatMap((specifier) => {
      if (specifier.startsWith('node:')) {
        const isAllowed = SERVICE_SIDE.has(folder) || isTest(path);
        return isAllowed ? [] : [`${path}: the browser side imports ${specifier}`];
      }
      if (!specifier.startsWith('.')) return [];
      const target = folderOf(resolve(path, specifier));
      return target === folder || allowed.includes(target) ? [] : [`${path}: ${folder} must not import ${target}`];
    });
  });

export const findImportForms: Rule = (sources) =>
  sources.filter(({ path }) => isSrc(path) && isCode(path)).flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      if (/^(@\/|~|#|\/|src\/)/.test(specifier)) return [`${path}: ${specifier} is an alias`];
      if (!specifier.startsWith('.')) return [];
      if (specifier.endsWith('.css')) return [];
      // src itself stands beside the folders, so from there one level is down.
      const form = folderOf(path) === '.' ? /^\.(\/[a-z]+)?\/[A-Za-z0-9]+$/ : /^(\.|\.\.\/[a-z]+)\/[A-Za-z0-9]+$/;
      return form.test(specifier) ? [] : [`${path}: ${specifier} is not relative, one level, without extension`];
    }),
  );

/** Cycles, each named by its files in order. */
export const findCycles: Rule = (sources) => {
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

/** Lines per file of the product: at most 400. */
export const findSizes: Rule = (sources) =>
  sources
    .filter(({ path }) => isSrc(path) && isCode(path) && !isTest(path))
    .flatMap(({ path, text }) => (lineCount(text) > 400 ? [`${path}: ${lineCount(text)} lines, more than 400`] : []));

export const findBarrels: Rule = (sources) =>
  sources.filter(({ path }) => isSrc(path) && isCode(path)).flatMap(({ path, text }) => {
    if (/\/index\.tsx?$/.test(path)) return [`${path}: an index file`];
    return /^export\s(type\s)?(\*|\{)[^;]*\sfrom\s/m.test(text) ? [`${path}: passes on another file's exports`] : [];
  });

const VAGUE = /^(utils?|helpers?|commons?|types?|lib|misc|shared)$/i;

/** Files whose names differ in case alone: on many disks one import would then find the other file. */
export const findCaseClashes: Rule = (sources) => {
  const names = new Map<string, string>();
  return sources.filter(({ path }) => isCode(path)).flatMap(({ path }) => {
    const name = path.replace(/\.tsx?$/, '');
    const other = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), name);
    return other === name ? [] : [`${path}: only case tells it from ${other}`];
  });
};

export const findNames: Rule = (sources) =>
  sources.filter(({ path }) => isSrc(path)).flatMap(({ path, text }) => {
    const parts = path.split('/');
    const file = parts.at(-1) ?? '';
    const name = file.replace(/(\.test)?\.\w+$/, '');
    const found: string[] = [];
    if ([...parts.slice(1, -1), name].some((part) => VAGUE.test(part))) found.push(`${path}: a name that says nothing`);
    if (!isCode(path)) return found;
    if (parts.length > 3) found.push(`${path}: code in a subfolder`);
    if (file.endsWith('.tsx') && path !== 'src/main.tsx' && !isTest(path)) {
      const exports = [...text.matchAll(/^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|const|class|let|type|interface)?\s*([\w{*]+)/gm)].map((match) => match[1]);
      if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) found.push(`${path}: a component is named in PascalCase`);
      if (exports.length !== 1 || exports[0] !== name) found.push(`${path}: exports ${exports.join(', ') || 'nothing'}, not ${name} alone`);
    }
    if (file.endsWith('.ts') && !isTest(path)) {
      if (!/^[a-z][A-Za-z0-9]*(\.d)?$/.test(file.slice(0, -3))) found.push(`${path}: a file that is no component is named in camelCase`);
      if (!/^(\/\/ .+\n){1,3}(?!\/\/)/.test(text)) found.push(`${path}: does not open with one to three lines on what it owns`);
    }
    return found;
  });

const IN_CODE: readonly (readonly [RegExp, string])[] = [
  [/\bas any\b|<any>|\bany\[\]|: any\s*[;,)=|\]}]|<any,|, any>/, 'any'],
  [/@ts-(ignore|expect-error|nocheck)/, 'a switched-off compiler'],
  [/(oxlint|eslint)-disable/, 'a switched-off linter'],
  [/\beval\(|\bnew Function\(/, 'code from text'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'unfinished work'],
  [/\b(?!README|SPEC|LICENSE|CHANGELOG)[A-Z][A-Z-]{2,}\.md\b|['"`(\s]\/(work|home)\//, 'a name from outside the project'],
];

/** A test may look at the HTML that is there; the product makes none. */
const RAW_HTML = /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/;

/** What no file may hold. The rules' own two files name it, so they are passed over. */
export const findBannedText: Rule = (sources) =>
  sources.filter(({ path }) => isCode(path) && !isRules(path)).flatMap(({ path, text }) => {
    const found = IN_CODE.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${path}: ${what}`);
    if (isSrc(path) && !isTest(path) && RAW_HTML.test(text)) found.push(`${path}: raw HTML`);
    const isBrowser = isSrc(path) && !SERVICE_SIDE.has(folderOf(path)) && !isTest(path);
    if (isBrowser && /\bconsole\.\w+\(/.test(text)) found.push(`${path}: console in the browser`);
    return found;
  });

const IN_TESTS: readonly (readonly [RegExp, string])[] = [
  [/\b(it|test|describe)\.(skip|only|todo|fixme|fails)\b/, 'a test that does not count'],
  [/waitForTimeout|networkidle/, 'a wait that guesses'],
  [/\b(page|context)\.route\(|routeFromHAR/, 'a made-up service'],
  [/expect\([^;\n]*performance\.now\(\)/, 'a clock that judges'],
];

/** Tests that can't be trusted: in e2e all files, in src the tests. */
export const findBadTests: Rule = (sources) =>
  sources.filter(({ path }) => isCode(path) && !isRules(path) && (isTest(path) || path.startsWith('e2e/'))).flatMap(({ path, text }) =>
    IN_TESTS.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${path}: ${what}`),
  );

/** Folders that hold less test than source, in lines. */
export const findThinTests: Rule = (sources) =>
  ['contract', 'stream', 'service'].flatMap((folder) => {
    const files = sources.filter(({ path }) => path.startsWith(`src/${folder}/`) && isCode(path));
    const sum = (list: readonly Source[]): number => list.reduce((total, { text }) => total + lineCount(text), 0);
    const tests = sum(files.filter(({ path }) => isTest(path)));
    const source = sum(files.filter(({ path }) => !isTest(path)));
    return tests < source ? [`src/${folder}: ${tests} lines of tests for ${source} lines of source`] : [];
  });

export interface PackageFile {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Programs that scripts call by another name than their package's. */
const PROGRAMS: Readonly<Record<string, string>> = { typescript: 'tsc', '@playwright/test': 'playwright' };

/** Dependencies that are not pinned to one version, or that nothing imports or calls. */
export function findPackageFaults(file: PackageFile, sources: readonly Source[]): string[] {
  const all = { ...file.dependencies, ...file.devDependencies };
  const scripts = ` ${Object.values(file.scripts).join(' ')} `;
  const isUsed = (name: string): boolean => {
    if (name.startsWith('@types/')) return name === '@types/node' || name.slice('@types/'.length) in all;
    const quoted = new RegExp(`['"]${name.replaceAll('.', '\\.')}['"/]`);
    return scripts.includes(` ${PROGRAMS[name] ?? name} `) || sources.some(({ path, text }) => !isRules(path) && quoted.test(text));
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

/** Optional (platform) packages that the lock file names but does not hold: `npm ci` refuses such a lock file. */
export function findLockFaults({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path}: ${name} is missing from the lock file`),
  );
}
