// The request for a recommendation. Apart from dataChanges.ts, because the recommendations load it and need nothing else of
// datasets.
import { send } from '#ui/client/call.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** Asks for a recommendation, again where there is one. */
export async function requestRecommendation(snapshotId: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  const body = { snapshot_id: snapshotId };
  await send('POST', '/api/v1/public/recommendations/generate', [], { body, connection });
}
