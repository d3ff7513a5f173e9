import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prefetchFirstView } from './prefetchFirstView.ts';
import { projectQuery, projectsQuery } from './queries.ts';
import type { Connection } from './request.ts';
import { connect } from './server.fixture.ts';

let client: QueryClient;
let connection: Connection;
let paths: string[];
let answers: Readonly<Record<string, unknown>>;

const SESSION = { '/api/session': { mode: 'local', remote: null } };
const MODELS = { '/api/v1/models': { data: [] } };
const toProject = (id: string) => ({
  [`/api/v1/public/projects/${id}`]: { project: { id, type: 'project', name: id, children: [] } },
});

beforeEach(async () => {
  client = new QueryClient();
  paths = [];
  connection = await connect((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const isKnown = Object.hasOwn(answers, path);
    response.writeHead(isKnown ? 200 : 401);
    response.end(JSON.stringify(isKnown ? answers[path] : { error: 'no' }));
  });
});

afterEach(() => client.clear());

it('asks for the session, the models and the first project', async () => {
  answers = {
    ...SESSION,
    ...MODELS,
    '/api/v1/public/projects': {
      projects: [
        { id: 'p', name: 'P' },
        { id: 'q', name: 'Q' },
      ],
    },
    ...toProject('p'),
  };
  await prefetchFirstView(client, { project: null, isSignedIn: true }, connection);
  await expect
    .poll(() => paths.toSorted())
    .toEqual(['/api/session', '/api/v1/models', '/api/v1/public/projects', '/api/v1/public/projects/p']);
  expect(client.getQueryData(projectQuery('p', connection).queryKey)).toMatchObject({ id: 'p' });
});

it('asks for the project of the address, and for no list', async () => {
  answers = { ...SESSION, ...MODELS, ...toProject('q') };
  await prefetchFirstView(client, { project: 'q', isSignedIn: true }, connection);
  expect(paths).not.toContain('/api/v1/public/projects');
  expect(client.getQueryData(projectQuery('q', connection).queryKey)).toMatchObject({ id: 'q' });
});

it('asks for nothing more while signed out', async () => {
  answers = {};
  await prefetchFirstView(client, { project: 'q', isSignedIn: false }, connection);
  expect(paths).toEqual(['/api/session']);
});

it('leaves a failure to whoever shows the answer', async () => {
  answers = { ...SESSION, ...MODELS };
  await prefetchFirstView(client, { project: null, isSignedIn: true }, connection);
  expect(client.getQueryState(projectsQuery(connection).queryKey)?.error).not.toBeNull();
  expect(paths.filter((path) => path.startsWith('/api/v1/public/projects'))).toEqual(['/api/v1/public/projects']);
});
