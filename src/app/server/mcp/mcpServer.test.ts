import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeToken, toTokenHash, type TokenStore } from '#features/access/server/tokens.ts';
import { openTestService, PROJECT_ID, TOKEN, UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { openStudioRequests } from '#app/server/client/studioRequests.ts';
import { openMcpStudio } from './mcpServer.ts';
import { keep } from '#service/files/keep.fixture.ts';

const [READER, WRITER] = ['r', 'w'].map((letter) =>
  makeToken((bytes) => Buffer.alloc(bytes, letter).toString('base64url')),
) as [string, string];
const known = new Map([
  [toTokenHash(READER), { name: 'reads', isReadOnly: true, createdAt: new Date(0) }],
  [toTokenHash(WRITER), { name: 'writes', isReadOnly: false, createdAt: new Date(0) }],
]);
const tokens: Pick<TokenStore, 'find'> = { find: async (hash) => known.get(hash) ?? null };

const DATASET = {
  id: '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91b0',
  type: 'dataset',
  label: 'Orders',
  status: 'ready',
  metadata: {},
};
const SNAPSHOT = {
  id: '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91b1',
  type: 'snapshot',
  label: 'First',
  children: [],
  metadata: {},
};

const service = await keep(openTestService({ tokens }));
const children = [{ ...DATASET, children: [SNAPSHOT] }];
service.studio.project = { ...service.studio.project, children } as never;

const ask = (token: string) => openStudioRequests(new URL(service.origin), token);

/** An assistant that is connected to the studio by a token. */
async function connect(token: string): Promise<Client> {
  const { open } = await openMcpStudio(ask(token), '1.2.3');
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await open().connect(theirs);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  onTestFinished(() => client.close());
  return client;
}

interface Result {
  readonly isError: boolean;
  readonly text: string;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [part] = content as { text: string }[];
  return { isError: isError === true, text: part?.text ?? '' };
}

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

describe('an assistant', () => {
  it('reads projects and parts of a tree', async () => {
    const client = await connect(WRITER);
    expect(JSON.parse((await call(client, 'list_projects')).text)).toMatchObject({ projects: [{ id: PROJECT_ID }] });
    const tree = (more: object = {}): Promise<Result> =>
      call(client, 'get_project', { project_id: PROJECT_ID, ...more });
    expect(JSON.parse((await tree()).text)).toMatchObject({
      name: 'Test',
      children: [{ id: DATASET.id, child_count: 1 }],
    });
    expect(JSON.parse((await tree({ depth: 0 })).text)).toMatchObject({ child_count: 1 });
    expect(JSON.parse((await tree({ node_id: DATASET.id })).text)).toMatchObject({ children: [{ label: 'First' }] });
    expect(await tree({ node_id: UNKNOWN_ID })).toMatchObject({
      isError: true,
      text: expect.stringContaining('has no node'),
    });
  });

  it('is told what the studio refuses, and what does not fit a tool', async () => {
    const client = await connect(WRITER);
    expect(await call(client, 'get_project', { project_id: UNKNOWN_ID })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^404: /),
    });
    expect((await call(client, 'get_project', { project_id: '../session' })).isError).toBe(true);
    expect((await call(client, 'get_project', { project_id: PROJECT_ID, more: 1 })).isError).toBe(true);
  });

  it('with a token that only reads has only tools that read', async () => {
    const [reading, writing] = [await namesOf(await connect(READER)), await namesOf(await connect(WRITER))];
    expect(writing.filter((name) => !reading.includes(name))).toEqual(['create_job', 'start_evaluation_run']);
    const { tools } = await (await connect(READER)).listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await expect(call(await connect(READER), 'create_job', { body: {} })).rejects.toThrow(/create_job/);
  });

  it('has no tool that deletes, signs in or reads rows of people', async () => {
    const names = await namesOf(await connect(TOKEN));
    expect(names.filter((name) => /delete|remove|token|session|sign|rows$/.test(name))).toEqual([]);
  });

  it('is not served without a token that the studio knows', async () => {
    await expect(openMcpStudio(ask('wrong'), '1')).rejects.toThrow(/token/i);
    await expect(openMcpStudio(openStudioRequests(new URL('http://127.0.0.1:1'), 'x'), '1')).rejects.toThrow(
      'No studio answers at http://127.0.0.1:1. Start it, or give its address with --studio.',
    );
  });
});

it('serves an assistant over standard input and output as a command', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-studio-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'token');
  writeFileSync(file, `${READER}\n`);
  const main = fileURLToPath(new URL('../launch/main.ts', import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), main, 'mcp', '--studio', service.origin, '--token-file', file],
    cwd: folder,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'model-studio' });
  expect(JSON.parse((await call(client, 'list_projects')).text)).toMatchObject({ projects: [{ name: 'Test' }] });
  await client.close();
});
