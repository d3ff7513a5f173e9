import { expect, it } from 'vitest';
import { API_PREFIX, ROUTES } from '#core/contract/routes.ts';
import {
  addDatapointPath,
  badLinesPath,
  cancelImportPath,
  comparePath,
  DATA_ROUTES,
  datasetPath,
  findingsPath,
  marksPath,
  nodePath,
  restorePath,
  rowPath,
  rowTablePath,
  splitPath,
  statisticsPath,
} from './dataRoutes.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const OTHER = '3f0c1a52-7b1e-4a1d-9c55-0123456789ac';
const of = (route: string): string => route.replace(/\{\w+\}/, ID);

it('has the paths of the hosted studio', () => {
  expect(DATA_ROUTES.createProject).toBe('/api/v1/public/projects/create');
  expect(DATA_ROUTES.createDataset).toBe('/api/v1/public/datasets/create-from-jsonl');
  expect(DATA_ROUTES.addDatapoint).toBe('/api/v1/datasets/{datasetId}/addDatapoint');
  expect(DATA_ROUTES.createSnapshot).toBe('/api/v1/public/snapshots/create');
});

it('fills an id in where the route has its place', () => {
  expect(datasetPath(ID)).toBe(of(DATA_ROUTES.dataset));
  expect(addDatapointPath(ID)).toBe(of(DATA_ROUTES.addDatapoint));
  expect(cancelImportPath(ID)).toBe(of(DATA_ROUTES.cancelImport));
  expect(badLinesPath(ID)).toBe(of(DATA_ROUTES.badLines));
  expect(marksPath(ID)).toBe(of(DATA_ROUTES.marks));
  expect(nodePath(ID)).toBe(of(DATA_ROUTES.node));
  expect(restorePath(ID)).toBe(of(DATA_ROUTES.restoreNode));
  expect(splitPath(ID, 80)).toBe(`${of(DATA_ROUTES.split)}?percentage=80`);
  expect(comparePath(ID, OTHER)).toBe(`${of(DATA_ROUTES.compareSnapshots)}?with=${OTHER}`);
});

it.each(['dataset', 'snapshot'] as const)('names the rows of a %s', (kind) => {
  const owner = { kind, id: ID };
  expect(rowTablePath(owner)).toBe(of(DATA_ROUTES[`${kind}Rows`]));
  expect(rowPath(owner, 7)).toBe(of(DATA_ROUTES[`${kind}Row`]).replace('{position}', '7'));
  expect(statisticsPath(owner)).toBe(of(DATA_ROUTES[`${kind}Statistics`]));
  expect(findingsPath(owner)).toBe(of(DATA_ROUTES[`${kind}Findings`]));
});

it('asks for what is given, whatever it holds', () => {
  const path = rowTablePath(
    { kind: 'dataset', id: ID },
    { from: 0, limit: 50, search: 'a&b=ü#', tag: '', finding: 'leak' },
  );
  expect(Object.fromEntries(new URL(path, 'http://studio').searchParams)).toEqual({
    from: '0',
    limit: '50',
    search: 'a&b=ü#',
    finding: 'leak',
  });
});

it.each(['../../secret', 'a/b', 'a?b#c', '%2e%2e'])('lets no id leave its place: %j', (id) => {
  for (const make of [datasetPath, nodePath]) {
    const { pathname, search, hash } = new URL(make(id), 'http://studio');
    expect([decodeURIComponent(pathname.split('/').at(-1) ?? ''), search, hash]).toEqual([id, '', '']);
  }
});

it('has no two routes at one address', () => {
  const paths = [...Object.values(ROUTES), ...Object.values(DATA_ROUTES)].map((path) => path.replace(/\{\w+\}/g, '{}'));
  expect(new Set(paths).size).toBe(paths.length);
});

it.each([
  [{}, ''],
  [{ from: 0 }, '?from=0'],
  [{ search: '' }, ''],
  [{ side: 'training', mark: 'edited' }, '?side=training&mark=edited'],
  [{ tag: 'a b' }, '?tag=a+b'],
  [{ finding: 'near-duplicate', limit: 5 }, '?finding=near-duplicate&limit=5'],
])('asks for rows with %j', (question, query) => {
  for (const kind of ['dataset', 'snapshot'] as const) {
    const owner = { kind, id: ID };
    expect(rowTablePath(owner, question)).toBe(`${rowTablePath(owner)}${query}`);
  }
});

it.each(Object.entries(DATA_ROUTES))('%s is below the version of the API', (_name, path) => {
  expect(path).toMatch(/^\/api\/v1(\/[a-zA-Z-]+|\/\{[a-zA-Z]+\})+$/);
});

it('keeps what is ours apart from what SDKs of the hosted studio know', () => {
  const sdk = [
    DATA_ROUTES.createProject,
    DATA_ROUTES.createDataset,
    DATA_ROUTES.createSynthetic,
    DATA_ROUTES.dataset,
    DATA_ROUTES.addDatapoint,
    DATA_ROUTES.createSnapshot,
  ];
  const ours = Object.values(DATA_ROUTES).filter((path) => path.startsWith(`${API_PREFIX}/studio/`));
  expect([...sdk, ...ours].toSorted()).toEqual(Object.values(DATA_ROUTES).toSorted());
});
