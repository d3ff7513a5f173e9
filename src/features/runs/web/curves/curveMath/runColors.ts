// Which colour a run has: it keeps it when other runs arrive, are filtered away, archived or end. Pure, but for what it
// remembers.

/** Places in the order of arrival, by project and run. */
const remembered = new Map<string, Map<string, number>>();

/**
 * Gives places to runs that have none yet. With all runs of a node, archived ones too, a run has the same colour before
 * and after another one is archived, also when the page is loaded in between.
 */
export function keepRunColors(project: string, ids: readonly string[]): ReadonlyMap<string, number> {
  const places = remembered.get(project) ?? new Map<string, number>();
  remembered.set(project, places);
  for (const id of ids) if (!places.has(id)) places.set(id, places.size);
  return places;
}

/**
 * A run that is chosen in the table has the table's colour. Every other run gets the next colour when it first arrives,
 * and keeps it as long as the page lives.
 */
export function toRunColors(
  project: string,
  runs: readonly { readonly id: string; readonly chosenPlace: number | null }[],
): ReadonlyMap<string, number> {
  const places = keepRunColors(
    project,
    runs.map(({ id }) => id),
  );
  return new Map(runs.map(({ id, chosenPlace }) => [id, chosenPlace ?? places.get(id) ?? 0]));
}
