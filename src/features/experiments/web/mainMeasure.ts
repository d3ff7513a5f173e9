// Chooses the measure by which the runs of a dataset, or of a folder, are compared. Only a local studio keeps the choice.
import { mainMeasurePath, runRootPath } from '#core/contract/routes.ts';
import { requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** null: the measure that fits the answers. Throws ApiFailure; 400: no run of the dataset has the measure. */
export async function chooseMainMeasure(
  datasetId: string,
  measure: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await requestText(mainMeasurePath(datasetId), { method: 'PUT', body: { measure }, connection });
}

/** The same for all runs of a folder. A measure that its runs lack changes nothing. */
export async function chooseRootMeasure(
  rootId: string,
  measure: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await requestText(runRootPath(rootId), { method: 'PUT', body: { main_measure: measure }, connection });
}
