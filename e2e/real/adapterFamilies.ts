// Greedy answers of tiny models in this studio beside those of transformers: for each family of adapters, and for whole
// models. `adapter-families.sh` makes the models and runs it. Arguments: the folders of adapterFamilies.py.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { openConvertedFiles } from '#features/serving/server/convertedFiles.ts';
import { ask, openSampleEngine } from '#engine/sampleModel.fixture.ts';
import type { Engine, ModelFile } from '#engine/engine.ts';

const QUESTIONS = ['Where is my parcel?', 'Cancel the order.', 'The page is empty, why?', 'Reset my password please'];

const toFile = (id: string, path: string, adapter: string | null = null): ModelFile => ({
  id,
  aliases: [],
  path,
  adapter,
  created: 1,
  owned_by: 'local',
});

/** Texts of the questions. */
async function answer(engine: Engine, model: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const content of QUESTIONS) {
    const messages = [{ role: 'user' as const, content }];
    texts.push((await ask(engine, model, { messages, temperature: 0, max_completion_tokens: 24 })).text);
  }
  return texts;
}

const data = await mkdtemp(join(tmpdir(), 'families-'));
const files = openConvertedFiles(data);
let differing = 0;
const asked = { families: 0, models: 0, answers: 0, same: 0 };
try {
  for (const given of process.argv.slice(2)) {
    const root = resolve(given);
    if (!existsSync(join(root, 'answers.json'))) {
      differing += 1;
      console.log(`${basename(root)}: not made`);
      continue;
    }
    const expected = JSON.parse(readFileSync(join(root, 'answers.json'), 'utf8')) as Record<
      string,
      { texts: string[]; margin: number }
    >;
    asked.families += 1;
    const base = join(root, 'base.gguf');
    const marks = { weights: root, base };
    const verdicts: string[] = [];
    const models = [toFile('base', base)];
    const prepare = async (name: string, work: () => Promise<ModelFile>): Promise<void> => {
      try {
        models.push(await work());
      } catch (error) {
        differing += 1;
        verdicts.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    for (const folder of readdirSync(root).filter((name) => name.startsWith('run-'))) {
      const [name, place] = [folder.slice(4), { root, folder, recorded: {} }];
      await prepare(name, async () => {
        const { reason = null } = (await files.judgeAdapter(place, [base])).bases[base] ?? {};
        if (reason !== null) throw new Error(reason);
        return toFile(name, base, await files.convert({ place, kind: 'adapter', base }, marks));
      });
    }
    const place = { root, folder: 'full', recorded: {} };
    if (existsSync(join(root, 'full')))
      await prepare('full', async () =>
        toFile('full', await files.convert({ place, kind: 'full', name: 'full', form: 'q8_0' }, marks)),
      );
    const engine = openSampleEngine({ models, trusted: [root, data] });
    try {
      for (const { id } of models) {
        const { texts = [], margin = 0 } = expected[id] ?? {};
        const own = await answer(engine, id).catch((error: unknown) => [String(error)]);
        const same = own.filter((text, index) => text === texts[index]).length;
        asked.models += 1;
        asked.answers += QUESTIONS.length;
        asked.same += same;
        if (same < QUESTIONS.length) differing += 1;
        verdicts.push(
          `${id} ${same}/${QUESTIONS.length}${same < QUESTIONS.length ? ` (margin ${margin}${own.length < QUESTIONS.length ? `, ${own.join()}` : ''})` : ''}`,
        );
      }
    } finally {
      await engine.close();
    }
    console.log(`${basename(root)}: ${verdicts.join(', ')}`);
  }
} finally {
  await rm(data, { recursive: true });
}
const { families, models, answers, same } = asked;
const all = process.argv.length - 2;
console.log(
  `${same} of ${answers} answers of ${models} models of ${families} of ${all} families are those of transformers`,
);
process.exitCode = differing === 0 ? 0 : 1;
