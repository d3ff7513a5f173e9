// What an entry of the log says in words, and which node it is about. Pure.
import { lastIdOf, type ActivityEntry } from '#features/access/shared/activity.ts';
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { TRAINING_ROUTES } from '#features/training/shared/trainingRoutes.ts';
import { TRANSFER_ROUTES } from '#features/project-files/shared/transferFile.ts';

/** By method and route. A route that is not here is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  [`POST ${DATA_ROUTES.createProject}`]: 'Made a project',
  [`POST ${DATA_ROUTES.createDataset}`]: 'Imported a dataset',
  [`POST ${DATA_ROUTES.addDatapoint}`]: 'Added a row',
  [`POST ${DATA_ROUTES.createSnapshot}`]: 'Made a snapshot',
  [`POST ${DATA_ROUTES.cancelImport}`]: 'Cancelled an import',
  [`POST ${DATA_ROUTES.marks}`]: 'Set aside, tagged or edited rows',
  [`DELETE ${DATA_ROUTES.node}`]: 'Deleted',
  [`POST ${DATA_ROUTES.restoreNode}`]: 'Restored',
  [`POST ${TRANSFER_ROUTES.importProject}`]: 'Imported a project',
  [`PUT ${ROUTES.note}`]: 'Changed a note, name, tag or star',
  [`PUT ${ROUTES.mainMeasure}`]: 'Chose the measure that runs are compared by',
  [`POST ${ROUTES.runRoots}`]: 'Added a run folder',
  [`PUT ${ROUTES.runRoot}`]: 'Changed a run folder',
  [`DELETE ${ROUTES.runRoot}`]: 'Removed a run folder',
  [`POST ${ROUTES.serving}`]: 'Served saved weights of a run',
  [`DELETE ${ROUTES.served}`]: 'Stopped serving saved weights',
  [`POST ${TRAINING_ROUTES.createJob}`]: 'Started a training',
  [`POST ${TRAINING_ROUTES.duplicateJob}`]: 'Started a training again',
  [`POST ${TRAINING_ROUTES.cancelJob}`]: 'Cancelled a training',
  [`POST ${TRAINING_ROUTES.cancelExperiment}`]: 'Cancelled a run',
  [`POST ${TRAINING_ROUTES.stopExperiment}`]: 'Stopped a run and kept its weights',
  [`POST ${TRAINING_ROUTES.resumeExperiment}`]: 'Resumed a run',
  [`PUT ${TRAINING_ROUTES.queue}`]: 'Changed the order of the queue',
  [`POST ${TRAINING_ROUTES.generateRecommendation}`]: 'Asked for a recommendation',
  [`POST ${TRAINING_ROUTES.modelUp}`]: 'Loaded a model',
  [`POST ${TRAINING_ROUTES.modelDown}`]: 'Unloaded a model',
};

export const toActivityWords = ({ method, route }: ActivityEntry): string =>
  Object.hasOwn(WORDS, `${method} ${route}`) ? (WORDS[`${method} ${route}`] ?? route) : `${method} ${route}`;

/** The owner's own token has no name. */
export const toWho = ({ who }: ActivityEntry): string => who ?? 'Owner';

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
