// The interface of datasets, their rows and snapshots for the service.
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type {
  BadLine,
  Dataset,
  DeletedNode,
  NewDatapoint,
  NewSnapshot,
  SnapshotComparison,
  Split,
} from '#features/datasets/shared/contract/datasets.ts';
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import type {
  FindingList,
  FitList,
  MarksMade,
  MarksRequest,
  RowPage,
  Statistics,
  WholeRow,
} from '#features/datasets/shared/contract/rows.ts';
import type { Import, ImportPlace, ImportSettings } from '#features/datasets/server/importing/openImport.ts';
import type { FilteredForm } from '#features/datasets/shared/contract/filteredFile.ts';
import type { FilteredRows, RowFilterQuestion } from './rowDownload.ts';
import type { TableQuestion } from './rowTable.ts';

interface ImportStart {
  /** null: a new id. */
  readonly datasetId: string | null;
  /** null: not known before the file is sent. */
  readonly place: ImportPlace | null;
  readonly settings: ImportSettings;
  /** null: not known. */
  readonly fileName: string | null;
  /** Bytes of the upload. */
  readonly total: number | null;
  /** The name of the token; null: the owner's. */
  readonly who: string | null;
}

/** All of these throw DataProblem for what can't be done, and DatabaseUnavailable. */
export interface Data {
  createProject(name: string, goal: string | null): Promise<string>;
  findDataset(id: string): Promise<Dataset>;
  listBadLines(id: string): Promise<readonly BadLine[]>;
  startImport(start: ImportStart): Promise<Import>;
  cancelImport(id: string): Promise<void>;
  /** Returns the row's position. */
  addDatapoint(datasetId: string, datapoint: NewDatapoint): Promise<number>;
  previewSplit(datasetId: string, percentage: number): Promise<Split>;
  createSnapshot(snapshot: NewSnapshot): Promise<string>;
  /** Rejects when `signal` is aborted: the work ends then. */
  compareSnapshots(id: string, other: string, signal: AbortSignal): Promise<SnapshotComparison>;
  /** Rejects when `signal` is aborted. */
  readRows(owner: RowsOf, question: TableQuestion, signal?: AbortSignal): Promise<RowPage>;
  /** All rows that the filters leave, read while they are taken. */
  findFilteredRows(owner: RowsOf, question: RowFilterQuestion, form: FilteredForm): Promise<FilteredRows>;
  /** Which trainers and services take the rows that the filters leave. */
  readFits(owner: RowsOf, question: RowFilterQuestion): Promise<FitList>;
  readRow(owner: RowsOf, position: number): Promise<WholeRow>;
  /** The row as a base model sees it; `context` null: the model's own. */
  viewRow(owner: RowsOf, position: number, model: string, context: number | null): Promise<RowView>;
  /**
   * Why a training of this model on this snapshot would train nothing, as sentences; null: it trains something, or the
   * studio has no file of the model.
   */
  findNothingTrained(snapshotId: string, model: string): Promise<string | null>;
  changeMarks(datasetId: string, request: MarksRequest): Promise<MarksMade>;
  /**
   * `model`: the base model whose tokens are counted; null: one that was asked for before, or none. `caller`: whose turn the
   * work takes.
   */
  statistics(owner: RowsOf, model: string | null, context: number | null, caller: string): Promise<Statistics>;
  findings(owner: RowsOf, model: string | null, caller: string): Promise<FindingList>;
  deleteNode(id: string): Promise<void>;
  restoreNode(id: string): Promise<void>;
  listDeleted(): Promise<readonly DeletedNode[]>;
  close(): Promise<void>;
}
