// Which model a name means. Several sources have models, and a name must never mean another model than people think. Pure.
import type { ModelFile } from './engine.ts';

/** `owned_by` of a model that came with a project's file. Its name was chosen elsewhere, so it gives way to all others. */
export const IMPORTED = 'imported';

interface Named {
  readonly id: string;
  readonly aliases: readonly string[];
}

/** All names of a model. */
export const toNames = ({ id, aliases }: Named): string[] => [id].concat(aliases);

/** The model with this id, else the first with this alias; null: there is none. */
export function findByName<Model extends Named>(models: readonly Model[], name: string): Model | null {
  return models.find(({ id }) => id === name) ?? models.find(({ aliases }) => aliases.includes(name)) ?? null;
}

/** The same models, imported ones last. */
export const toImportedLast = <Model extends { readonly owned_by: string }>(models: readonly Model[]): Model[] =>
  models.toSorted((a, b) => Number(a.owned_by === IMPORTED) - Number(b.owned_by === IMPORTED));

/** Each name once: an id counts before an alias. `taken` gets their names. */
function withOwnNames(files: readonly ModelFile[], taken: Set<string>, elsewhere: ReadonlySet<string>): ModelFile[] {
  const kept = files.filter(({ id }) => !taken.has(id) && taken.add(id));
  return kept.map((file) => {
    const aliases = file.aliases.filter((alias) => !taken.has(alias) && !elsewhere.has(alias) && taken.add(alias));
    return aliases.length === file.aliases.length ? file : Object.assign({}, file, { aliases });
  });
}

/**
 * The files as one list in which each name means one model. Of several with the same id the first stays, and an alias is never
 * the id of another. Imported models come last, also after those of other engines, whose ids are `elsewhere`.
 */
export function toOneList(files: readonly ModelFile[], elsewhere: ReadonlySet<string>): readonly ModelFile[] {
  const isImported = ({ owned_by }: ModelFile): boolean => owned_by === IMPORTED;
  const taken = new Set<string>();
  const first = withOwnNames(
    files.filter((file) => !isImported(file)),
    taken,
    elsewhere,
  );
  for (const id of elsewhere) taken.add(id);
  return [...first, ...withOwnNames(files.filter(isImported), taken, elsewhere)];
}
