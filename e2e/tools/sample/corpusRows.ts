// The base model's corpus as rows of tokens.
import type { ModelSource } from '#trainer/files/readModel.ts';
import type { TokenRow } from '#trainer/model/batch.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { readRows } from '#trainer/text/readRows.ts';
import { toTokenText } from '#trainer/text/pieces.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { BASE_SYSTEM, OPENINGS, toCorpusPair, toCoverPair, toLessonPair, type Lesson } from './corpusPairs.ts';
import { openDraw, type Draw } from './draw.ts';
import type { Pair } from './pair.ts';
import { DATASET, DATASETS } from './rows.ts';
import { CONTROL_TOKENS } from './trainTokenizer.ts';

export interface Mixture {
  /** Part of the rows that repeat random tokens: what all else rests on is learnt from them. */
  readonly copied: number;
  /** Part of the other rows that repeat words, each in turn. */
  readonly covering: number;
}

/** Parts of all rows: those of which the prompt is learnt too, and those with a system prompt. */
const WHOLE = 0.05;
const WITH_SYSTEM = 0.2;

/** Letters beyond English, so that their bytes have been seen. */
const LETTERS = 'äöüßéèêàçñóøåæłśžčığ€£ŚΔΣλπдйжшиюяبحמש中文日本語한국👍😀🚚✅“”–…'.split('');
const isWhole = (text: string): boolean => !text.includes('\uFFFD') && text !== '';

const toLine = (draw: Draw, { prompt, answer }: Pair): string =>
  JSON.stringify({
    messages: [
      ...(draw.chance(WITH_SYSTEM) ? [{ role: 'system', content: BASE_SYSTEM }] : []),
      { role: 'user', content: prompt },
      { role: 'assistant', content: answer },
    ],
  });

/** Texts from which the vocabulary is learnt: rows of the corpus and of the datasets, as the template writes them. */
export function* toVocabularyTexts(seed: number, count: number): Generator<string> {
  const draw = openDraw(seed);
  for (let index = 0; index < count; index += 1) {
    const dataset = DATASET[draw.one(DATASETS)];
    const isCorpus = index % 2 === 0;
    const { prompt, answer } = isCorpus ? toCorpusPair(draw) : dataset.toPair(draw);
    yield `system\n${isCorpus ? BASE_SYSTEM : dataset.system}\n`;
    yield `user\n${prompt}\n`;
    yield `assistant\n${answer}\n`;
  }
}

/** Stands where the copied tokens will be. */
const HOLE = '\u0000';

interface CorpusMaker {
  toRows(count: number, mixture: Mixture): readonly TokenRow[];
  /** Rows of one kind, to be measured. */
  toLessonRows(lesson: Lesson, count: number): readonly TokenRow[];
}

/** All items in turn, each round in another order: what comes next must be read. */
function openTurns<Item>(draw: Draw, items: readonly Item[]): (count: number) => readonly Item[] {
  let left: Item[] = [];
  const take = (): Item => {
    if (left.length === 0) left = [...items];
    const place = draw.number(0, left.length - 1);
    const item = left[place] as Item;
    left[place] = left.at(-1) as Item;
    left.pop();
    return item;
  };
  return (count) => Array.from({ length: count }, take);
}

/** Rows in the tokens of `source`: the same for the same seed and the same calls. */
export function openCorpus({ header, shape }: ModelSource, seed: number): CorpusMaker {
  const tokenizer = openTokenizer(header);
  const { markTexts } = tokenizer;
  const template = openModelTemplate(header, tokenizer);
  const found = header.values.get('tokenizer.ggml.tokens');
  const texts = (Array.isArray(found) ? found : []).map(String);
  const words = texts
    .map(toTokenText)
    .filter((text) => isWhole(text) && !markTexts.includes(text))
    .concat(LETTERS);
  const draw = openDraw(seed);
  const takeWords = openTurns(draw, words);
  const isControl = (token: number): boolean => CONTROL_TOKENS.some((mark) => mark === texts[token]);
  const takeTokens = openTurns(
    draw,
    [...texts.keys()].filter((token) => !isControl(token)),
  );

  const asked = { role: 'user' as const, content: OPENINGS[0] + HOLE };
  const frame = template
    .renderAnswered([asked, { role: 'assistant', content: HOLE }], [])
    .join('')
    .split(HOLE);
  const parts = frame.map((text) => tokenizer.encode([text]));
  const read = (lines: readonly string[]): readonly TokenRow[] =>
    readRows(lines.join('\n'), { template, tokenizer, most: shape.context }).rows;
  const times = (count: number, toPair: () => Pair): readonly string[] =>
    Array.from({ length: count }, () => toLine(draw, toPair()));
  const toCopyRow = (): TokenRow => {
    const copied = takeTokens(draw.number(6, 24));
    const [before = [], between = [], after = []] = parts;
    const answer = [...copied, ...after.slice(0, 1)];
    const tokens = Int32Array.from([...before, ...copied, ...between, ...answer]);
    const from = tokens.length - answer.length;
    return { tokens, isTarget: Uint8Array.from(tokens, (_, at) => (at >= from ? 1 : 0)) };
  };
  const toPair = (covering: number): Pair =>
    draw.chance(covering) ? toCoverPair(draw, takeWords(draw.number(1, 8))) : toCorpusPair(draw);
  return {
    toRows: (count, { copied, covering }) => {
      const copies = Math.round(count * copied);
      return read(times(count - copies, () => toPair(covering)))
        .map((row) =>
          draw.chance(WHOLE) ? { tokens: row.tokens, isTarget: new Uint8Array(row.tokens.length).fill(1) } : row,
        )
        .concat(Array.from({ length: copies }, toCopyRow));
    },
    toLessonRows: (lesson, count) => read(times(count, () => toLessonPair(draw, lesson))),
  };
}
