import { expect, it } from 'vitest';
import {
  API_PREFIX,
  examplesPath,
  ggufPath,
  jobPath,
  mainMeasurePath,
  notePath,
  projectPath,
  recommendationPath,
  ROUTES,
  rowsPath,
  runPath,
  runRootPath,
  servedPath,
  servingPath,
} from './routes.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

it('has the addresses of SPEC 4', () => {
  expect(ROUTES.project).toBe('/api/v1/public/projects/{projectId}');
  expect(ROUTES.recommendation).toBe('/api/v1/public/recommendations/{snapshotId}');
  expect(ROUTES.chat).toBe('/api/v1/chat/completions');
});

it('fills an id in where the route has its place', () => {
  expect(projectPath(ID)).toBe(ROUTES.project.replace('{projectId}', ID));
  expect(recommendationPath(ID)).toBe(ROUTES.recommendation.replace('{snapshotId}', ID));
  expect(jobPath(ID)).toBe(ROUTES.job.replace('{jobId}', ID));
  expect(rowsPath(ID, 'training')).toBe(`${ROUTES.rows.replace('{snapshotId}', ID)}?bucket=training`);
  expect(examplesPath('ft-1')).toBe(ROUTES.examples.replace('{modelId}', 'ft-1'));
  expect(mainMeasurePath(ID)).toBe(ROUTES.mainMeasure.replace('{datasetId}', ID));
  expect(runRootPath(ID)).toBe(ROUTES.runRoot.replace('{rootId}', ID));
  expect(runPath(ID)).toBe(ROUTES.run.replace('{runId}', ID));
  expect(notePath(ID)).toBe(ROUTES.note.replace('{nodeId}', ID));
  expect(servingPath(ID)).toBe(ROUTES.serving.replace('{runId}', ID));
  expect(servedPath('lr1-500')).toBe(ROUTES.served.replace('{modelId}', 'lr1-500'));
});

it('names a checkpoint whatever its path is', () => {
  for (const path of ['', 'lr1/checkpoint-500', 'a&b=c#d', '../x', 'ü 1', '%2e']) {
    const { pathname, searchParams } = new URL(servingPath(ID, path), 'http://studio');
    expect([pathname, searchParams.get('checkpoint'), searchParams.size]).toEqual([servingPath(ID), path, 1]);
    const gguf = new URL(ggufPath(ID, { checkpoint: path, form: 'saved' }), 'http://studio');
    expect(gguf.pathname).toBe(ROUTES.gguf.replace('{runId}', ID));
    expect([gguf.searchParams.get('checkpoint'), gguf.searchParams.size]).toEqual([path, 2]);
  }
});

it.each(['../../secret', 'a/b', 'a?b#c', '%2e%2e', 'ü 1'])('lets no id leave its place: %j', (id) => {
  const makers = [projectPath, recommendationPath, jobPath, examplesPath, runRootPath, runPath, notePath, servedPath];
  for (const path of makers.map((make) => make(id))) {
    const { pathname, search, hash } = new URL(path, 'http://studio');
    expect([pathname.split('/').length, search, hash]).toEqual([path.split('/').length, '', '']);
    expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(id);
  }
  const rows = new URL(rowsPath(id, 'training'), 'http://studio');
  expect([decodeURIComponent(rows.pathname.split('/').at(-2) ?? ''), rows.search]).toEqual([id, '?bucket=training']);
});

it('keeps the version in the prefix (SPEC 9), and no two routes at one address', () => {
  expect(API_PREFIX).toBe('/api/v1');
  const paths = Object.values(ROUTES);
  expect(new Set(paths.map((path) => path.replace(/\{\w+\}/g, '{}'))).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^(\/[a-z0-9.-]+)+(\/\{[a-zA-Z]+\})?(\/[a-z-]+)?$/);
});
