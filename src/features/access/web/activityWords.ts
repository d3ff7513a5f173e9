// What an entry of the log says in words, and which node it is about. Pure.
import type { EndpointName } from '#core/contract/endpoint.ts';
import type { ActivityEntry } from '#features/access/shared/activity.ts';
import { lastIdOf } from '#core/contract/uuid.ts';
import { toWhoWords } from '#ui/client/rights.ts';

/** By method and route. A route that is not here is shown as it is. */
const WORDS: { readonly [Name in EndpointName]?: string } = {
  'POST /api/v1/public/projects/create': 'Made a project',
  'POST /api/v1/public/datasets/create-from-jsonl': 'Imported a dataset',
  'POST /api/v1/public/datasets/create-synthetic': 'Had rows of a dataset generated',
  'POST /api/v1/datasets/{datasetId}/addDatapoint': 'Added a row',
  'POST /api/v1/public/snapshots/create': 'Made a snapshot',
  'POST /api/v1/public/snapshots/create-from-files': 'Made a snapshot of files',
  'POST /api/v1/studio/datasets/{datasetId}/cancel': 'Cancelled an import',
  'POST /api/v1/studio/datasets/{datasetId}/marks': 'Set aside, tagged or edited rows',
  'DELETE /api/v1/studio/nodes/{nodeId}': 'Deleted',
  'POST /api/v1/studio/nodes/{nodeId}/restore': 'Restored',
  'POST /api/v1/studio/projects/import': 'Imported a project',
  'PUT /api/v1/studio/notes/{nodeId}': 'Changed a note, name, tag or star',
  'PUT /api/v1/studio/library/{kind}/{itemId}': 'Saved a preset or training example',
  'DELETE /api/v1/studio/library/{kind}/{itemId}': 'Deleted a preset or training example',
  'PUT /api/v1/studio/datasets/{datasetId}/main-measure': 'Chose the measure that runs are compared by',
  'POST /api/v1/studio/run-roots': 'Added a run folder',
  'PUT /api/v1/studio/run-roots/{rootId}': 'Changed a run folder',
  'DELETE /api/v1/studio/run-roots/{rootId}': 'Removed a run folder',
  'POST /api/v1/studio/runs/{runId}/serving': 'Served saved weights of a run',
  'DELETE /api/v1/studio/served-models/{modelId}': 'Stopped serving saved weights',
  'POST /api/v1/traces': 'Added traces',
  'PUT /api/v1/traces/{traceId}': 'Scored a trace',
  'DELETE /api/v1/traces/{traceId}': 'Deleted a trace',
  'POST /api/v1/traces/{traceId}/addToDataset': 'Made a row of a trace',
  'PUT /api/v1/studio/projects/{projectId}/trace-settings': 'Chose what is done with traces',
  'POST /api/v1/public/finetuning/create': 'Started a training',
  'POST /api/v1/studio/jobs/{jobId}/duplicate': 'Started a training again',
  'POST /api/v1/studio/jobs/{jobId}/cancel': 'Cancelled a training',
  'POST /api/v1/studio/experiments/{experimentId}/cancel': 'Cancelled a run',
  'POST /api/v1/studio/experiments/{experimentId}/stop': 'Stopped a run and kept its weights',
  'POST /api/v1/studio/experiments/{experimentId}/resume': 'Resumed a run',
  'PUT /api/v1/studio/training/queue': 'Changed the order of the queue',
  'POST /api/v1/public/recommendations/generate': 'Asked for a recommendation',
  'POST /api/v1/models/up': 'Loaded a model',
  'POST /api/v1/models/down': 'Unloaded a model',
};

export function toActivityWords({ method, route }: ActivityEntry): string {
  const name = `${method} ${route}`;
  return Object.hasOwn(WORDS, name) ? (WORDS[name as EndpointName] ?? name) : name;
}

export const toWho = ({ who }: ActivityEntry): string => toWhoWords(who);

/** The id of the node that it is about, in small letters; null: it is about none. */
export const toNodeId = ({ node, path }: ActivityEntry): string | null => node?.id ?? lastIdOf(path);

/** Whether all words of a search are in what is shown of an entry. `label`: of its node. */
export function isFound(entry: ActivityEntry, label: string, search: string): boolean {
  const text = `${toActivityWords(entry)} ${toWho(entry)} ${label} ${entry.path} ${entry.at}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
