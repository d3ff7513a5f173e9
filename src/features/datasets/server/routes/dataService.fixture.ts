// For tests: the service with an embedded database and the routes of data.
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { ModelFile } from '#engine/engine.ts';
import { openRowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { openData, type DataOptions } from '#features/datasets/server/openData.ts';
import type { Data } from '#features/datasets/server/openData.ts';
import type { ConnectionLimits } from '#service/http/connectionLimits.ts';
import {
  TOKEN,
  openTestService,
  type Answer,
  type TestOptions,
  type TestService,
} from '#service/http/testService.fixture.ts';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { openTestDatabase } from '#service/database/testDatabase.fixture.ts';
import { toDataRoutes } from './dataRoutes.ts';

/** What is told of the rows of a dataset or snapshot: `table`, `statistics` and so on. */
export function rowsUrl(
  { kind, id }: RowsOf,
  what: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return `/api/v1/studio/${kind}s/${id}/${what}${text === '' ? '' : `?${text}`}`;
}

export interface Part {
  readonly name: string;
  readonly value: string | Buffer;
  readonly fileName?: string;
}

const SAMPLE_BASE: ModelFile = {
  id: 'support-base',
  aliases: ['base'],
  path: fileURLToPath(new URL('../../../projects/server/sample/support-base.Q8_0.gguf', import.meta.url)),
  adapter: null,
  created: 0,
  owned_by: 'local',
};

export interface DataService {
  readonly service: TestService;
  readonly data: Data;
  /** Full disks, put in the place of a real one. */
  setStore(store: DataOptions['store']): void;
  setRoom(check: () => void): void;
  sql(text: string): Promise<readonly unknown[]>;
  setNow(now: Date): void;
  projectId(): Promise<string>;
  /** Another project each time. */
  newProjectId(): Promise<string>;
  upload(
    parts: readonly Part[],
    options?: { boundary?: string; sent?: string; headers?: Record<string, string>; path?: string },
  ): Promise<Answer>;
  /** A dataset of these lines. */
  dataset(lines: readonly string[], more?: readonly Part[]): Promise<string>;
  close(): Promise<void>;
}

function toForm(parts: readonly Part[], boundary: string): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '\r\n\r\n' : `; filename="${fileName}"\r\nContent-Type: application/jsonl\r\n\r\n`,
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** A chat row as a line. */
export const chat = (question: string, answer = 'Yes.'): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  });

export const file = (value: string | Buffer, fileName = 'rows.jsonl'): Part => ({ name: 'file', value, fileName });

/** Sends some bytes of an upload and waits; `cut` closes the connection. */
export function openSlowUpload(
  port: number,
  path: string,
  boundary: string,
  token = TOKEN,
): {
  write(bytes: Buffer | string): Promise<void>;
  cut(): void;
  end(): void;
  readonly answer: Promise<{ readonly status: number; readonly text: string }>;
} {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent: false,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
  request.on('error', () => undefined);
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (bytes: Buffer) => parts.push(bytes));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
  });
  return {
    answer,
    write: (bytes) =>
      new Promise((resolve) => {
        request.write(bytes, () => resolve());
      }),
    cut: () => request.destroy(),
    end: () => void request.end(),
  };
}

export async function openDataService(
  limits?: ConnectionLimits,
  tokens?: TestOptions['tokens'],
  teacher?: DataOptions['teacher'],
): Promise<DataService> {
  const folders: TestFolders = await openTestFolders();
  const database = await openTestDatabase(await folders.withDatabase('tables'));
  let store: DataOptions['store'];
  let room: (() => void) | null = null;
  let now = new Date('2026-11-23T10:00:00.000Z');
  const options: DataOptions = {
    database: {
      ...database,
      checkRoom(bytes) {
        if (room) room();
        else database.checkRoom?.(bytes);
      },
    },
    views: openRowViews({ listFiles: async () => [SAMPLE_BASE] }),
    now: () => now,
    onWarning: () => undefined,
    ...(teacher && { teacher }),
    get store() {
      return store;
    },
  } as DataOptions;
  const data = await openData(options);
  const service = await openTestService({
    routes: () => toDataRoutes(data),
    ...(limits && { limits }),
    ...(tokens && { tokens }),
  });
  let project: string | null = null;

  const newProjectId = async (): Promise<string> => {
    const answer = await service.post('/api/v1/public/projects/create', { name: 'Desk', goal: 'Sort.' });
    return (answer.json() as { project_id: string }).project_id;
  };
  const projectId = async (): Promise<string> => (project ??= await newProjectId());
  const upload: DataService['upload'] = async (
    parts,
    {
      boundary = randomBytes(8).toString('hex'),
      sent,
      headers,
      path = '/api/v1/public/datasets/create-from-jsonl',
    } = {},
  ) =>
    service.askSigned(path, {
      method: 'POST',
      body: toForm(parts, boundary),
      headers: { 'Content-Type': `multipart/form-data; boundary=${sent ?? boundary}`, ...headers },
    });
  return {
    service,
    data,
    setStore: (next) => (store = next),
    setRoom: (check) => (room = check),
    sql: async (text) => (await database.executeSql(text)).rows,
    setNow: (next) => (now = next),
    projectId,
    newProjectId,
    upload,
    async dataset(lines, more = []) {
      const fields = [{ name: 'name', value: 'Tickets' }, { name: 'project_id', value: await projectId() }, ...more];
      const answer = await upload([...fields, file(lines.join('\n'))]);
      if (answer.status !== 200) throw new Error(answer.text);
      return (answer.json() as { dataset_id: string }).dataset_id;
    },
    async close() {
      await service.close();
      await data.close();
      await database.close();
      await folders.remove();
    },
  };
}

/** The fields of an upload into the project of the service. */
export async function toFields(desk: DataService, more: Record<string, string> = {}): Promise<Part[]> {
  const all = { name: 'Tickets', project_id: await desk.projectId(), ...more };
  return Object.entries(all).map(([name, value]) => ({ name, value }));
}

/** Nothing of an import is left. */
export async function expectNothingLeft({ sql }: DataService): Promise<void> {
  expect(await sql("select id from studio.datasets where status = 'processing'")).toEqual([]);
  expect(await sql('select dataset_id from studio.imports')).toEqual([]);
  expect(
    await sql('select dataset_id from studio.row_blocks where dataset_id not in (select id from studio.datasets)'),
  ).toEqual([]);
}
