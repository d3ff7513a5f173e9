// The request for a recommendation. Apart from dataChanges.ts, because the recommendations load it and need nothing else of
// datasets.
import { API_PREFIX } from '#core/contract/routes.ts';
import { requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** Asks for a recommendation, again where there is one. */
export async function requestRecommendation(snapshotId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  const path = `${API_PREFIX}/public/recommendations/generate`;
  await requestText(path, { method: 'POST', body: { snapshot_id: snapshotId }, connection });
}
