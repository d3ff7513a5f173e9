// Which colour a run has: it keeps it when other runs arrive, are filtered away or end. Pure, but for what it remembers.

/** Places in the order of arrival, by project and run. */
const remembered = new Map<string, Map<string, number>>();

/**
 * A run that is chosen in the table has the table's colour. Every other run gets the next colour when it first arrives,
 * and keeps it as long as the page lives.
 */
export function toRunColors(
  project: string,
  runs: readonly { readonly id: string; readonly chosenPlace: number | null }[],
): ReadonlyMap<string, number> {
  const places = remembered.get(project) ?? new Map<string, number>();
  remembered.set(project, places);
  for (const { id } of runs) if (!places.has(id)) places.set(id, places.size);
  return new Map(runs.map(({ id, chosenPlace }) => [id, chosenPlace ?? places.get(id) ?? 0]));
}
