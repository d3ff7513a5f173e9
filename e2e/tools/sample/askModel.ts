// A model of the sample as it is served: its file, or the base with an adapter. Answers prompts, and is measured.
import { setImmediate } from 'node:timers/promises';
import { readModel } from '#trainer/files/readModel.ts';
import { openTransformer } from '#trainer/model/transformer.ts';
import { loadWeights } from '#trainer/model/weights.ts';
import { addStartAdapter } from '#trainer/startAdapter.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { readRows } from '#trainer/text/readRows.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { toLoneCrew } from '#trainer/threads/crew.ts';
import { answerGreedily } from '#trainer/training/greedy.ts';
import { measureHeldOut, type HeldOutResult } from '#trainer/training/training.ts';

export interface ModelFiles {
  readonly file: string;
  readonly adapter: string | null;
}

export interface AskedPrompt {
  readonly system: string;
  readonly prompt: string;
  /** What the answer may be: if it is, it takes one pass instead of one for each token. It never changes the answer. */
  readonly draft: string;
}

export interface SampleModel {
  /** Greedy answers, in the order of the prompts. */
  answer(prompts: readonly AskedPrompt[]): Promise<readonly string[]>;
  /** Loss and exact match of validation rows, given as JSONL. */
  measure(lines: string): Promise<HeldOutResult | null>;
}

const PASS_TOKENS = 1024;
/** Tokens of an answer beyond those of its draft: a longer one is cut. */
const MORE = 24;

const pause = (): Promise<void> => setImmediate();

export function openSampleModel({ file, adapter }: ModelFiles): SampleModel {
  const source = readModel(file);
  const { context } = source.shape;
  const tokenizer = openTokenizer(source.header);
  const template = openModelTemplate(source.header, tokenizer);
  const maxTokens = Math.max(PASS_TOKENS, context + 1);
  const model = openTransformer({ shape: source.shape, adapter: null, maxTokens, maxRow: context + 1 });
  loadWeights(model, source);
  if (adapter !== null) addStartAdapter(model, adapter, null);
  const crew = toLoneCrew(model);
  return {
    async answer(prompts) {
      const asked = prompts.map(({ system, prompt, draft }) => {
        const messages = [
          { role: 'system' as const, content: system },
          { role: 'user' as const, content: prompt },
        ];
        const tokens = [...tokenizer.encode([draft], true), tokenizer.end];
        const most = tokens.length + MORE;
        const asking = tokenizer.encode(template.render(messages, [])).slice(0, context - most);
        return { prompt: asking, draft: tokens, most };
      });
      const found = await answerGreedily(crew, asked, { end: tokenizer.end, maxTokens, pause });
      return found.map((tokens) => tokenizer.decode(tokens ?? []));
    },
    measure: (lines) =>
      measureHeldOut(crew, readRows(lines, { template, tokenizer, most: context }).rows, maxTokens, pause),
  };
}
