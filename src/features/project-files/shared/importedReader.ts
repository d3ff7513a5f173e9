// What a service answers to the import of a project, or to the preview of one.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#core/contract/reading.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { IMPORT_CHANGES, type ImportChangeKind } from './importChanges.ts';

/** Changes of a kind, for one reason. */
export interface ReadChange {
  /** null: of a kind that this page does not know. */
  readonly kind: ImportChangeKind | null;
  readonly reason: string;
  readonly count: number;
  /** The first ones. */
  readonly named: readonly { readonly of: string | null; readonly from: string; readonly to: string | null }[];
}

export interface ReadImported {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  readonly runs: number;
  /** How many models of its runs can be asked here, and bytes of the files that come along for them. */
  readonly ready: number;
  readonly bytes: number;
  /** Models of its runs that are not here, with the reason. */
  readonly missing: readonly { readonly id: string; readonly reason: string }[];
  /** What is not as the file says. */
  readonly changes: readonly ReadChange[];
  /** Of a preview: to be sent with the import. null: it was imported. */
  readonly seed: string | null;
}

const isKind = (kind: unknown): kind is ImportChangeKind => IMPORT_CHANGES.some((each) => each === kind);

function readChange(value: unknown): ReadChange[] {
  if (!isObject(value)) return [];
  const { kind, reason, count, named } = value;
  const read = arrayOr(named)
    .filter(isObject)
    .map(({ of, from, to }) => ({ of: textOr(of, null), from: textOr(from, ''), to: textOr(to, null) }));
  return [
    {
      kind: isKind(kind) ? kind : null,
      reason: textOr(reason, ''),
      count: numberOr(count, read.length),
      named: read,
    },
  ];
}

export function readImported(body: unknown): Read<ReadImported> {
  const id = isObject(body) ? body['project_id'] : null;
  if (!isObject(body) || typeof id !== 'string' || !isUuid(id)) return failRead('the answer names no project');
  const counts = isObject(body['counts']) ? body['counts'] : {};
  const models = arrayOr(body['models']).filter(isObject);
  const ready = models.filter(({ state }) => state === 'ready');
  return {
    ok: true,
    value: {
      id,
      name: textOr(body['name'], id),
      rows: numberOr(counts['rows'], 0),
      runs: numberOr(counts['experiments'], 0),
      ready: ready.length,
      bytes: ready.reduce((sum, { bytes }) => sum + numberOr(bytes, 0), 0),
      missing: models
        .filter(({ state }) => state === 'missing')
        .map((model) => ({ id: textOr(model['id'], ''), reason: textOr(model['reason'], '') })),
      changes: arrayOr(body['changes']).flatMap(readChange),
      seed: textOr(body['seed'], null),
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
