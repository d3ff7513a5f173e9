// The paths of datasets and their rows. Apart from routes.ts, because the first view doesn't load them.
import { API_PREFIX } from '#core/contract/routes.ts';
import type { FilteredForm } from './filteredFile.ts';

const STUDIO = `${API_PREFIX}/studio`;
const DATASET = `${STUDIO}/datasets/{datasetId}`;
const SNAPSHOT = `${STUDIO}/snapshots/{snapshotId}`;

export const DATA_ROUTES = {
  // ASSUMED: not in SPEC. The paths of these six are those of the hosted studio's SDKs.
  createProject: `${API_PREFIX}/public/projects/create`,
  createDataset: `${API_PREFIX}/public/datasets/create-from-jsonl`,
  createSynthetic: `${API_PREFIX}/public/datasets/create-synthetic`,
  dataset: `${API_PREFIX}/public/datasets/{datasetId}`,
  addDatapoint: `${API_PREFIX}/datasets/{datasetId}/addDatapoint`,
  createSnapshot: `${API_PREFIX}/public/snapshots/create`,
  // ASSUMED: not in SPEC. Only a local studio has rows.
  cancelImport: `${DATASET}/cancel`,
  badLines: `${DATASET}/bad-lines`,
  split: `${DATASET}/split`,
  marks: `${DATASET}/marks`,
  datasetRows: `${DATASET}/table`,
  datasetRow: `${DATASET}/table/{position}`,
  datasetRowView: `${DATASET}/table/{position}/view`,
  datasetFiltered: `${DATASET}/filtered-rows`,
  datasetFits: `${DATASET}/fits`,
  datasetStatistics: `${DATASET}/statistics`,
  datasetFindings: `${DATASET}/findings`,
  snapshotRows: `${SNAPSHOT}/table`,
  snapshotRow: `${SNAPSHOT}/table/{position}`,
  snapshotRowView: `${SNAPSHOT}/table/{position}/view`,
  snapshotFiltered: `${SNAPSHOT}/filtered-rows`,
  snapshotFits: `${SNAPSHOT}/fits`,
  snapshotStatistics: `${SNAPSHOT}/statistics`,
  snapshotFindings: `${SNAPSHOT}/findings`,
  compareSnapshots: `${SNAPSHOT}/compare`,
  // ASSUMED: not in SPEC. A node is a project, dataset, snapshot, job or experiment of the local studio.
  node: `${STUDIO}/nodes/{nodeId}`,
  restoreNode: `${STUDIO}/nodes/{nodeId}/restore`,
  deletedNodes: `${STUDIO}/deleted`,
} as const;

/** Whose rows: a dataset's, with all of them, or a snapshot's. */
export interface RowsOf {
  readonly kind: 'dataset' | 'snapshot';
  readonly id: string;
}

type Query = Readonly<Record<string, string | number | null | undefined>>;

/** What is empty is left out. */
function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value != null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

const fill = (route: string, ...values: readonly (string | number)[]): string =>
  values.reduce<string>((path, value) => path.replace(/\{\w+\}/, () => encodeURIComponent(value)), route);

export const datasetPath = (id: string): string => fill(DATA_ROUTES.dataset, id);
export const addDatapointPath = (id: string): string => fill(DATA_ROUTES.addDatapoint, id);
/** `POST`: ends an import. */
export const cancelImportPath = (id: string): string => fill(DATA_ROUTES.cancelImport, id);
/** The bad lines of an import, one JSON object a line. */
export const badLinesPath = (id: string): string => fill(DATA_ROUTES.badLines, id);
export const splitPath = (id: string, percentage: number): string =>
  withQuery(fill(DATA_ROUTES.split, id), { percentage });
export const marksPath = (id: string): string => fill(DATA_ROUTES.marks, id);

/** Which rows of a page; a filter that is empty is none. */
export interface RowsQuestion {
  /** The first position that is looked at. */
  readonly from?: number;
  readonly limit?: number;
  readonly search?: string;
  /** A kind of finding. */
  readonly finding?: string;
  readonly tag?: string;
  readonly side?: string;
  /** Rows that were `set_aside` or `edited`. */
  readonly mark?: string;
}

/** A page of rows. */
export const rowTablePath = ({ kind, id }: RowsOf, question: RowsQuestion = {}): string =>
  withQuery(fill(DATA_ROUTES[`${kind}Rows`], id), { ...question });
/** A file with all rows that the filters leave; `original`: the lines that they came from. */
export const filteredRowsPath = (
  { kind, id }: RowsOf,
  { search, finding, tag, side, mark }: RowsQuestion,
  form: FilteredForm,
): string =>
  withQuery(fill(DATA_ROUTES[`${kind}Filtered`], id), {
    search,
    finding,
    tag,
    side,
    mark,
    form: form === 'chat' ? null : form,
  });
/** One row, whole. */
export const rowPath = ({ kind, id }: RowsOf, position: number): string =>
  fill(DATA_ROUTES[`${kind}Row`], id, position);
/** One row as a base model sees it; `context` null: the model's own. */
export const rowViewPath = ({ kind, id }: RowsOf, position: number, model: string, context: number | null): string =>
  withQuery(fill(DATA_ROUTES[`${kind}RowView`], id, position), { model, context });
/** `model`: the base model whose tokens are counted. */
export const statisticsPath = (
  { kind, id }: RowsOf,
  model: string | null = null,
  context: number | null = null,
): string => withQuery(fill(DATA_ROUTES[`${kind}Statistics`], id), { model, context });
/** Which trainers and services take the rows that a filter leaves. */
export const fitsPath = ({ kind, id }: RowsOf, { search, finding, tag, side, mark }: RowsQuestion): string =>
  withQuery(fill(DATA_ROUTES[`${kind}Fits`], id), { search, finding, tag, side, mark });
export const findingsPath = ({ kind, id }: RowsOf, model: string | null = null): string =>
  withQuery(fill(DATA_ROUTES[`${kind}Findings`], id), { model });
/** What `id` has that `other` has not, and the other way round. */
export const comparePath = (id: string, other: string): string =>
  withQuery(fill(DATA_ROUTES.compareSnapshots, id), { with: other });
/** `DELETE`: hides a node, and deletes it a day later. */
export const nodePath = (id: string): string => fill(DATA_ROUTES.node, id);
export const restorePath = (id: string): string => fill(DATA_ROUTES.restoreNode, id);
