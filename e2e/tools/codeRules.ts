// Rules that no linter has, as pure functions: source texts in, violations out.

export interface Source {
  /** From the project's root, with `/`: `src/core/stream/events.ts`. */
  readonly path: string;
  readonly text: string;
}

const isTest = (path: string): boolean => /\.(test|e2e|fixture)\.tsx?$/.test(path);
const isProduct = (path: string): boolean => path.startsWith('src/') && !isTest(path);
const isPage = (path: string): boolean => isProduct(path) && /^src\/(core|ui)\/|\/(web|shared|protocol)\//.test(path);
const isService = (path: string): boolean =>
  isProduct(path) && /^src\/(engine|trainer|service)\/|\/server\//.test(path);
const isTestCode = (path: string): boolean => isTest(path) || path.startsWith('e2e/');

const FORBIDDEN: readonly (readonly [(path: string) => boolean, RegExp, string])[] = [
  [() => true, /@ts-(ignore|expect-error|nocheck)/, 'a switched-off compiler'],
  [() => true, /(oxlint|eslint)-disable/, 'a switched-off linter'],
  [() => true, /\beval\(|\bnew Function\(/, 'code from text'],
  [() => true, /\b(TODO|FIXME|XXX|HACK)\b/, 'unfinished work'],
  [() => true, /['"`(\s]\/(work|home)\//, 'a path of one machine'],
  [isProduct, /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/, 'raw HTML'],
  [isProduct, /^export\s(type\s)?(\*|\{)[^;]*\sfrom\s/m, "another file's exports passed on"],
  // Outside a function it has the page read all locales before its first paint, which takes 29 ms.
  [isPage, /^(export )?const [^=\n]+= new Intl\./m, 'a formatter made before it is needed'],
  [
    (path) => isService(path) && !path.startsWith('src/service/threads/'),
    /\bnew Worker\(|\bfork\(/,
    'a thread or process that service/threads did not open',
  ],
  [isTestCode, /\b(it|test|describe)\.(skip|only|todo|fixme|fails)\b/, 'a test that does not count'],
  [isTestCode, /waitForTimeout|networkidle/, 'a wait that guesses'],
  [isTestCode, /\b(page|context)\.route\(|routeFromHAR/, 'a made-up service'],
  // Files that share modules evaluate it once: in the second, no hook runs. A setup file is evaluated for each.
  [
    (path) => /\.fixture\.tsx?$/.test(path) && !path.endsWith('/usePostgres.fixture.ts'),
    /^(before|after)(Each|All)\(/m,
    'a hook that one test file alone gets',
  ],
  [isTestCode, /expect\([^;\n]*performance\.now\(\)/, 'a clock that judges'],
];

/** What no file may contain. */
export const findForbiddenText = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    FORBIDDEN.flatMap(([applies, pattern, what]) => (applies(path) && pattern.test(text) ? [`${path}: ${what}`] : [])),
  );

/** Tests without an assertion, and tests that no file beside them has the name of. */
export function findStrayTests(sources: readonly Source[]): string[] {
  const subjects = new Set(sources.map(({ path }) => path.replace(/\.\w+$/, '')));
  return sources.flatMap(({ path, text }) => {
    if (!/^src\/.*\.test\.tsx?$/.test(path)) return [];
    const name = path.replace(/\.test\.tsx?$/, '');
    // `deskSaver.tabs.test.ts` tests one part of deskSaver.
    const hasSubject = subjects.has(name) || subjects.has(name.replace(/\.\w+$/, ''));
    return [
      ...(hasSubject ? [] : [`${path}: no file of that name is beside it`]),
      ...(/\bexpect\b|\bassert\w*\(/.test(text) ? [] : [`${path}: asserts nothing`]),
    ];
  });
}

/** A component's file has its name and exports it alone. */
export const findComponentNames = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) => {
    if (!path.endsWith('.tsx') || !isProduct(path) || path.endsWith('/main.tsx')) return [];
    const name = path.replace(/^.*\/|\.tsx$/g, '');
    const exported = [
      ...text.matchAll(/^export\s+(?:async\s+)?(?:function\*?|const|class|let|type|interface)\s+(\w+)/gm),
    ].map((match) => match[1]);
    return exported.length === 1 && exported[0] === name
      ? []
      : [`${path}: exports ${exported.join(', ') || 'nothing'}`];
  });

/** Files whose names differ only in case: on many disks an import finds the wrong one. */
export function findCaseClashes(sources: readonly Source[]): string[] {
  const names = new Map<string, string>();
  return sources.flatMap(({ path }) => {
    const other = names.get(path.toLowerCase()) ?? path;
    names.set(path.toLowerCase(), path);
    return other === path ? [] : [`${path}: only case tells it from ${other}`];
  });
}

type Versions = Readonly<Record<string, string>>;

export const findLooseVersions = (versions: Versions): string[] =>
  Object.entries(versions).flatMap(([name, version]) =>
    /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ? [] : [`${name}: ${version} is not one exact version`],
  );

export interface LockFile {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Versions }>>;
}

/** Optional (platform) packages that the lock file names but lacks: `npm ci` refuses such a lock file. */
export const findMissingPackages = ({ packages }: LockFile): string[] =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path}: ${name} is missing from the lock file`),
  );
