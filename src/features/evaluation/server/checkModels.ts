// Whether the models that a run is to ask are there at all.
import { inArray } from 'drizzle-orm';
import type { Engine } from '#engine/engine.ts';
import type { NewRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments } from '#service/database/tables.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { readEvaluation } from './evaluations.ts';

const MAX_NAMED = 12;

/** Those that no engine has; an engine that is away may have any. */
async function findUnknown(engine: Pick<Engine, 'findModel'>, models: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.allSettled(models.map((model) => engine.findModel(model)));
  return models.filter((_, at) => found[at]?.status === 'fulfilled' && found[at].value === null);
}

/** Throws HttpProblem 400 for the first model of a run that neither an engine nor a training of the studio knows, and 404. */
export async function checkModels(
  orm: Orm,
  engine: Pick<Engine, 'findModel' | 'listModels'>,
  evaluationId: string,
  wanted: NewRun,
): Promise<void> {
  const models = wanted.models ?? (await readEvaluation(orm, evaluationId)).models;
  const unknown = await findUnknown(engine, models);
  if (unknown.length === 0) return;
  const trained = await orm
    .select({ model: experiments.model_id })
    .from(experiments)
    .where(inArray(experiments.model_id, [...unknown]));
  const missing = unknown.find((name) => trained.every(({ model }) => model !== name));
  if (missing === undefined) return;
  const names = (await engine.listModels().catch(() => [])).map(({ id }) => id);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const choice =
    names.length === 0
      ? 'No model can be asked now: start the studio with one.'
      : `These can be asked: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
  throw new HttpProblem(400, `There is no model "${missing}" here, and no run was made. ${choice}`, {
    code: 'model_not_found',
    param: wanted.models ? `models[${models.indexOf(missing)}]` : 'models',
  });
}
