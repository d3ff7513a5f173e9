// Which parameters beyond SPEC 4.3 a model's server is not known to take.
import { useQuery } from '@tanstack/react-query';
import type { ModelEntry } from '#core/contract/completion.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { OWN_PARAMETERS, type OwnParameter } from '#core/contract/samplingParameters.ts';
import { modelsQuery, sessionQuery } from '#ui/client/queries.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';

/** A local studio refuses what it can't do, so nothing is kept back for a model that it does not list, such as an alias. */
export function findNotOffered(
  models: readonly ModelEntry[] | null | undefined,
  model: string,
  mode: SessionInfo['mode'] | null,
): readonly OwnParameter[] {
  const entry = models?.find(({ id }) => id === model);
  const taken = entry?.supported_parameters ?? (entry === undefined && mode === 'local' ? OWN_PARAMETERS : []);
  return OWN_PARAMETERS.filter((name) => !taken.includes(name));
}

export function useNotOffered(paneId: string): readonly OwnParameter[] {
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const models = useQuery(modelsQuery()).data;
  const mode = useQuery(sessionQuery()).data?.mode ?? null;
  return findNotOffered(models, model, mode);
}
