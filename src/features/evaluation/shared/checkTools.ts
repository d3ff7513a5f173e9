// Loads what the kinds of some checks need.
import type { CheckSpec, CheckTools } from './checks.ts';

/** The data of languages is a megabyte, so it is loaded only for a check that needs it. */
export async function loadCheckTools(specs: readonly Pick<CheckSpec, 'kind'>[]): Promise<CheckTools> {
  if (!specs.some(({ kind }) => kind === 'language')) return {};
  const { openLanguages } = await import('#features/datasets/shared/findings/languages.ts');
  // What one has learned would make the language of a text depend on the texts before it.
  return { toLanguage: (text) => openLanguages().toLanguage(text) };
}
