// Says when a model must not be called the best. Without the schemas, which pages don't load.
import { formatShare } from '#core/contract/numberNotation.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';

/** Why the model that is served must not be called the best; null: it may, or nothing is known. */
export function findRefusal(parity: ExportParity | null | undefined): string | null {
  const served = parity?.formats.find(({ is_served, is_refused }) => is_served && is_refused);
  if (!parity || !served) return null;
  return (
    `Its file answers worse than the training did: ${formatShare(served.exact_match)} of ${parity.prompts} answers to validation rows ` +
    `are right, and ${formatShare(parity.exact_match)} were before the export.`
  );
}
