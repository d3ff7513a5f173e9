// What a service answers to the import of a project.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#shared/contract/reading.ts';
import { isUuid } from '#shared/contract/uuid.ts';

export interface ReadImported {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  readonly runs: number;
  /** Models of its runs that are not here, with the reason. */
  readonly missing: readonly { readonly id: string; readonly reason: string }[];
}

export function readImported(body: unknown): Read<ReadImported> {
  const id = isObject(body) ? body['project_id'] : null;
  if (!isObject(body) || typeof id !== 'string' || !isUuid(id)) return failRead('the answer names no project');
  const counts = isObject(body['counts']) ? body['counts'] : {};
  const models = arrayOr(body['models']).filter(isObject);
  return {
    ok: true,
    value: {
      id,
      name: textOr(body['name'], id),
      rows: numberOr(counts['rows'], 0),
      runs: numberOr(counts['experiments'], 0),
      missing: models
        .filter(({ state }) => state === 'missing')
        .map((model) => ({ id: textOr(model['id'], ''), reason: textOr(model['reason'], '') })),
    },
  };
}

/** The project of a refused file that is here already; null: it was refused for something else. */
export function readExisting(body: unknown): { readonly id: string; readonly name: string } | null {
  const project = isObject(body) ? body['project'] : null;
  if (!isObject(project)) return null;
  const { id, name } = project;
  return typeof id === 'string' && isUuid(id) ? { id, name: textOr(name, id) } : null;
}
