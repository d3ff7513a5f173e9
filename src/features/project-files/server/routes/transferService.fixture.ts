// For tests: the service over a database with the sample project, or an empty one, and the routes of projects as files.
import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openTransfer, type Transfer } from '#features/project-files/server/transfer.ts';
import { openTestService, type Answer, type TestService } from '#service/http/testService.fixture.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';
import type { ImportDeps } from '#features/project-files/server/importProject.ts';
import { toTransferRoutes } from './transferRoutes.ts';

export type Line = Readonly<Record<string, unknown>> & { readonly kind: string };

export const toLines = (file: Buffer): Line[] =>
  gunzipSync(file)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

export const toFile = (lines: readonly (Line | string)[]): Buffer =>
  gzipSync(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

/** What two exports of one project have in common, between which it was imported: no aliases come in. */
export const toComparable = (lines: readonly Line[]): Line[] =>
  lines
    .filter(({ kind }) => kind !== 'end')
    .map((line) => {
      if (line.kind === 'model') return Object.assign({}, line, { aliases: [] });
      return line.kind === 'manifest' ? Object.assign({}, line, { exported_at: '' }) : line;
    });

/** With a last line that counts and hashes what comes before it. */
export const sealed = (given: readonly Line[]): Buffer => {
  const text = given.map((line) => `${JSON.stringify(line)}\n`);
  const sha256 = createHash('sha256').update(text.join('')).digest('hex');
  return toFile([...given, { kind: 'end', lines: given.length, sha256 }]);
};

/** When the service believes that it is. */
export const NOW = '2026-11-23T10:00:00.000Z';

/** What is neither in the database nor in the data folder of the service. */
interface OtherNames {
  /** Of models of the operator and of the server behind --engine. */
  names: readonly string[];
  /** false: that server does not answer. */
  isComplete: boolean;
  /** Ids of nodes in folders of runs. */
  nodes: readonly string[];
}

export interface TransferService {
  readonly service: TestService;
  readonly studio: OpenedStudio;
  readonly transfer: Transfer;
  readonly dataDir: string;
  /** To be changed by tests. */
  readonly others: OtherNames;
  /** Full disks, put in the place of a real one. */
  setStore(store: ImportDeps['store']): void;
  /** In the place of that of the database's disk. */
  setRoom(check: ImportDeps['database']['checkRoom']): void;
  upload(
    file: Buffer,
    fields?: Readonly<Record<string, string>>,
    more?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** Looks at a file: what an import would answer. */
  preview(file: Buffer, fields?: Readonly<Record<string, string>>): Promise<Answer>;
  sql(text: string): Promise<readonly Record<string, unknown>[]>;
  /** How many rows the tables of projects have. */
  countAll(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** Of a process that has no models of its own. */
export const NO_OTHERS = {
  findFile: async () => null,
  readNames: async () => ({ names: new Set<string>(), isComplete: true }),
  listOtherNodes: async () => new Set<string>(),
  now: () => new Date(),
  onWarning: () => undefined,
};

interface Sending {
  readonly file: Buffer;
  readonly fields: Readonly<Record<string, string>>;
  readonly more?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const TABLES = [
  'projects',
  'datasets',
  'row_blocks',
  'row_marks',
  'snapshots',
  'snapshot_rows',
  'jobs',
  'experiments',
  'trainings',
  'training_points',
  'models',
  'recommendations',
  'notes',
  'evaluations',
  'evaluation_versions',
  'evaluation_row_sets',
  'evaluation_row_blocks',
  'leases',
];

/** Of the sample's 25,800 rows two blocks of one dataset, and one of the others, show as much; and a few of its losses. */
const FEWER = `
  delete from studio.row_blocks where first_position >= 512;
  delete from studio.row_blocks where first_position >= 256
    and dataset_id <> (select id from studio.datasets where label = 'Order tools');
  update studio.datasets as d set datapoints_count = (select sum(row_count) from studio.row_blocks where dataset_id = d.id);
  update studio.snapshots as s set rows_end = d.datapoints_count, training_count = least(training_count, d.datapoints_count),
    validation_count = d.datapoints_count - least(training_count, d.datapoints_count)
    from studio.datasets as d where d.id = s.dataset_id;
  delete from studio.training_points where step % 20 <> 0`;

export async function openTransferService({ sample }: { readonly sample: boolean }): Promise<TransferService> {
  const folders = await openTestFolders();
  const dataDir = await folders.withDatabase(sample ? 'sample' : 'tables');
  const studio = await openTestStudio({ dataDir, sample });
  const { database } = studio;
  let store: ImportDeps['store'];
  const others: OtherNames = { names: [], isComplete: true, nodes: [] };
  let room: ImportDeps['database']['checkRoom'];
  const transfer = await openTransfer({
    database: { ...database, checkRoom: (bytes) => (room ?? database.checkRoom)?.(bytes) },
    dataDir,
    findFile: async (name) => (await studio.listModelFiles()).find(({ id }) => id === name) ?? null,
    readNames: async () => ({ names: new Set(others.names), isComplete: others.isComplete }),
    listOtherNodes: async () => new Set(others.nodes),
    now: () => new Date(NOW),
    onWarning: () => undefined,
    get store() {
      return store;
    },
  } as Parameters<typeof openTransfer>[0]);
  const service = await openTestService({ routes: () => toTransferRoutes(transfer) });
  const sql: TransferService['sql'] = async (text) =>
    (await database.executeSql(text)).rows as readonly Record<string, unknown>[];
  if (sample) await sql(FEWER);

  async function send(path: string, { file, fields, more = {}, signal }: Sending): Promise<Answer> {
    const boundary = randomBytes(8).toString('hex');
    const heads = Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const last = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.gz"\r\n\r\n`;
    return service.askSigned(path, {
      method: 'POST',
      body: Buffer.concat([Buffer.from(heads.join('') + last), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, ...more },
      ...(signal && { signal }),
    });
  }

  return {
    service,
    studio,
    transfer,
    dataDir,
    others,
    setStore: (next) => (store = next),
    setRoom: (check) => (room = check),
    upload: (file, fields = {}, more = {}, signal) =>
      send('/api/v1/studio/projects/import', { file, fields, more, ...(signal && { signal }) }),
    preview: (file, fields = {}) => send('/api/v1/studio/projects/import/preview', { file, fields }),
    sql,
    async countAll() {
      const counts = TABLES.map((table) => `(select count(*)::integer from studio.${table}) as ${table}`);
      const [row = {}] = await sql(`select ${counts.join(', ')}`);
      return row as Record<string, number>;
    },
    async close() {
      await service.close();
      await transfer.close();
      await studio.close();
      await folders.remove();
    },
  };
}
