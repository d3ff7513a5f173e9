// The interface of projects as files for the service. Opening removes what killed imports left, now and every minute.
import type { Readable } from 'node:stream';
import type { ImportPreview, ProjectImported } from '#features/project-files/shared/transfer.ts';
import { TRANSFER_SUFFIX } from '#features/project-files/shared/transferFile.ts';
import { toFilePart } from '#core/contract/rowsFile.ts';
import { toReason } from '#service/database/database.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { DiskFull, isDiskFull } from '#service/database/disk/freeDisk.ts';
import { readProject, type ExportChoice } from './exportProject.ts';
import { toFileStream } from './fileText.ts';
import { openRecordStore, type ImportDeps } from './importProject.ts';
import { openPreview, type ImportChoice, type RecordStore } from './importContext.ts';
import { openRecordReader, type RecordReader } from './recordReader.ts';
import { TransferProblem } from './transferProblem.ts';
import { endTransfer, openTransferLeases, removeEnded } from './projectImportLeases.ts';

interface ProjectFile {
  readonly fileName: string;
  /** Reads no further than it is read. A failure destroys it. */
  open(): Readable;
}

export interface ProjectImport<Result = ProjectImported> {
  /** Rejects as soon as the file can't be taken. */
  write(chunk: Uint8Array): Promise<void>;
  /** Takes the rest; an import shows the project then. Throws TransferProblem; then nothing has stayed. */
  finish(): Promise<Result>;
  /** Ends it in whatever it does. Nothing stays. */
  cancel(): Promise<void>;
}

export interface Transfer {
  /** Throws HttpProblem 404, DatabaseUnavailable. */
  exportProject(projectId: string, choice: ExportChoice): Promise<ProjectFile>;
  /** Throws TransferProblem 429. */
  startImport(choice: ImportChoice): ProjectImport;
  /** Reads a file as an import does, and stores nothing. Throws TransferProblem 429. */
  startPreview(choice: ImportChoice): ProjectImport<ImportPreview>;
  close(): Promise<void>;
}

export interface TransferOptions extends ImportDeps {
  readonly onWarning: (text: string) => void;
}

const SWEEP_MS = 60_000;
/** Projects that are imported at the same time, in one process, and as many files that are looked at. */
const MOST = 2;

const toFileName = (name: string, id: string): string => `${toFilePart(name) || id.slice(0, 8)}${TRANSFER_SUFFIX}`;

const diskFull = (error: unknown): TransferProblem =>
  new TransferProblem(
    507,
    'disk_full',
    `${error instanceof DiskFull ? error.message : 'The disk of the studio is full.'} The project can not be stored. Free some ` +
      'space and import it again. Nothing was imported.',
    { param: 'file' },
  );

const toFailure = (error: unknown): unknown =>
  !(error instanceof TransferProblem) && !(error instanceof DatabaseUnavailable) && isDiskFull(error)
    ? diskFull(error)
    : error;

function openImport<Result>(
  reader: RecordReader,
  store: RecordStore<Result>,
  onEnd: () => void,
): ProjectImport<Result> {
  let ending: Promise<void> | null = null;
  /** May come while `finish` runs, whose steps then fail. */
  const cancel = (): Promise<void> =>
    (ending ??= reader
      .stop()
      .then(() => store.remove())
      .finally(onEnd));
  return {
    async write(chunk) {
      await reader.write(chunk).catch((error: unknown) => {
        throw toFailure(error);
      });
    },
    async finish() {
      try {
        await reader.end();
        // Its sender has left, and all that it had sent is stored by now.
        if (ending) throw new Error('The import was cancelled.');
        const made = await store.finish();
        ending ??= reader.stop().finally(onEnd);
        await ending;
        return made;
      } catch (error) {
        await cancel();
        throw toFailure(error);
      }
    },
    cancel,
  };
}

export async function openTransfer(options: TransferOptions): Promise<Transfer> {
  const { database, dataDir, onWarning } = options;
  const running = new Set<ProjectImport>();
  const leases = openTransferLeases(database);
  const previews = new Set<ProjectImport<ImportPreview>>();

  /** `what`: what the studio does with the others. */
  function start<Result>(
    among: Set<ProjectImport<Result>>,
    what: string,
    open: () => RecordStore<Result>,
  ): ProjectImport<Result> {
    if (among.size >= MOST)
      throw new TransferProblem(429, 'too_many_imports', `The studio ${what} now. Send this one when one has ended.`);
    const store = open();
    const reader = openRecordReader((items) => store.take(items));
    const started: ProjectImport<Result> = openImport(reader, store, () => among.delete(started));
    among.add(started);
    return started;
  }

  await leases.endFormer();
  const sweep = (): Promise<void> =>
    leases.endOver(async (id) => {
      const files = await database.orm.transaction((transaction) => endTransfer(transaction, id));
      if (files) await removeEnded(database, dataDir, files);
    });
  await sweep();
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => onWarning(`What an import left could not be removed (${toReason(error)}).`));
  }, SWEEP_MS);
  timer.unref();
  return {
    async exportProject(projectId, choice) {
      const { name, records } = await readProject(options, projectId, choice);
      return { fileName: toFileName(name, projectId), open: () => toFileStream(records) };
    },
    startImport: (choice) =>
      start(running, `imports ${MOST} projects`, () => openRecordStore({ ...options, leases }, choice)),
    startPreview: (choice) => start(previews, `looks at ${MOST} files of projects`, () => openPreview(options, choice)),
    async close() {
      clearInterval(timer);
      await Promise.allSettled([...running, ...previews].map((each) => each.cancel()));
    },
  };
}
