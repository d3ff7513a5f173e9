// `npm run measure-sample`: measures the validation loss of the sample's models and writes it into runs.json, so that
// the figure in the studio is one that anybody can measure again.
import { readFileSync, writeFileSync } from 'node:fs';
import { getLlama, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp';
import { toSamplePath } from '#server/studio/sampleFiles.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

interface Run {
  readonly dataset: string;
  readonly mode: 'full' | 'lora';
  readonly file: string | null;
  held_out?: Record<string, number>;
  held_out_base?: Record<string, number>;
}

const BASE = 'support-base.Q8_0.gguf';
/** A probability that rounds to 0 counts as this one, so that one impossible token does not make the mean infinite. */
const SMALLEST = 1e-12;

const readRows = (dataset: string): readonly (readonly Message[])[] =>
  readFileSync(toSamplePath(`${dataset}.val.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { messages: Message[] }).messages);

/** The tokens of a row, and where its answer starts. The end mark belongs to the answer, as in training. */
function toTokens(model: LlamaModel, messages: readonly Message[]): { tokens: Token[]; start: number } {
  const toText = ({ role, content }: Message): string => `<|im_start|>${role}\n${content}<|im_end|>\n`;
  const prompt = model.tokenize(`${messages.slice(0, -1).map(toText).join('')}<|im_start|>assistant\n`, true);
  const answer = model.tokenize(`${messages.at(-1)?.content ?? ''}<|im_end|>`, true);
  return { tokens: [...prompt, ...answer], start: prompt.length };
}

/** Sum of the negative log-likelihoods (nats) of an answer's tokens, and their number. */
async function measureRow(sequence: LlamaContextSequence, model: LlamaModel, messages: readonly Message[]) {
  const { tokens, start } = toTokens(model, messages);
  await sequence.clearHistory();
  const results = await sequence.controlledEvaluate(
    tokens.map((token, place) =>
      place >= start - 1 && place < tokens.length - 1 ? [token, { generateNext: { probabilities: true } }] : token,
    ),
  );
  let sum = 0;
  for (let place = start; place < tokens.length; place += 1) {
    const probability = results[place - 1]?.next.probabilities?.get(tokens[place]!) ?? 0;
    sum -= Math.log(Math.max(probability, SMALLEST));
  }
  return { sum, count: tokens.length - start };
}

// One thread: several would wait for each other where the machine is busy.
const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, maxThreads: 1 });

/** Mean negative log-likelihood (nats) per token of the expected answers, on validation rows. */
async function measure(file: string, adapter: string | null, dataset: string): Promise<number> {
  const model = await llama.loadModel({ modelPath: toSamplePath(file) });
  const context = await model.createContext({
    contextSize: 512,
    threads: 1,
    ...(adapter === null ? {} : { lora: { adapters: [{ filePath: toSamplePath(adapter) }] } }),
  });
  const sequence = context.getSequence();
  let sum = 0;
  let count = 0;
  for (const messages of readRows(dataset)) {
    const row = await measureRow(sequence, model, messages);
    sum += row.sum;
    count += row.count;
  }
  await model.dispose();
  return Number((sum / count).toFixed(4));
}

const path = toSamplePath('runs.json');
const runs = JSON.parse(readFileSync(path, 'utf8')) as Run[];
const bases = new Map<string, number>();
for (const run of runs) {
  const base = bases.get(run.dataset) ?? (await measure(BASE, null, run.dataset));
  bases.set(run.dataset, base);
  run.held_out_base = { ...run.held_out_base, validation_loss: base };
  if (run.file === null || run.held_out === undefined) continue;
  const isLora = run.mode === 'lora';
  const loss = await measure(isLora ? BASE : run.file, isLora ? run.file : null, run.dataset);
  run.held_out = { ...run.held_out, validation_loss: loss };
  process.stdout.write(`${run.dataset} ${run.file}: validation loss ${loss}, base ${base}\n`);
}
writeFileSync(path, `[\n${runs.map((run) => ` ${JSON.stringify(run)}`).join(',\n')}\n]\n`);
await llama.dispose();
