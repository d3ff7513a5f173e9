// Chooses the measure by which the runs of a dataset, or of a folder, are compared. Only a local studio keeps the choice.
import { send } from '#ui/client/call.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** null: the measure that fits the answers. Throws ApiFailure; 400: no run of the dataset has the measure. */
export async function chooseMainMeasure(
  datasetId: string,
  measure: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const body = { measure };
  await send('PUT', '/api/v1/studio/datasets/{datasetId}/main-measure', [datasetId], { body, connection });
}

/** The same for all runs of a folder. A measure that its runs lack changes nothing. */
export async function chooseRootMeasure(
  rootId: string,
  measure: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const body = { main_measure: measure };
  await send('PUT', '/api/v1/studio/run-roots/{rootId}', [rootId], { body, connection });
}
