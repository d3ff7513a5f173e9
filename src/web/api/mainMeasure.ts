// Chooses the measure by which the runs of a dataset are compared. Only a local studio keeps the choice.
import { mainMeasurePath } from '#shared/contract/routes.ts';
import { requestText, SAME_ORIGIN, type Connection } from './request.ts';

/** null: the measure that fits the answers. Throws ApiFailure; 400: no run of the dataset has the measure. */
export async function chooseMainMeasure(
  datasetId: string,
  measure: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  await requestText(mainMeasurePath(datasetId), { method: 'PUT', body: { measure }, connection });
}
