// The one place through which every weight file of an import passes before a model of this studio has it: those that came
// with the file, and those that are here already under the name that the file says.
import { findGgufProblem } from '#engine/gguf/ggufFile.ts';

type WeightsKind = 'gguf' | 'adapter';

/** Why a file can't be the weights of a model, one sentence; null: nothing speaks against it. `kinds`: what it may be. */
export async function findWeightsProblem(path: string, kinds: readonly WeightsKind[]): Promise<string | null> {
  let problem: string | null = null;
  for (const kind of kinds) {
    problem = await findGgufProblem(path, kind);
    if (problem === null) return null;
  }
  return problem;
}
