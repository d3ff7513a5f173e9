// How one base model sees rows: its chat template and its tokenizer, of its GGUF file.
import type { LlamaModel } from 'node-llama-cpp';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import { isObject, numberOr } from '#core/contract/readJson.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toAnswerChats } from '#core/rows/preferenceRows.ts';
import { splitAtCuts } from '#core/templates/promptMarks.ts';
import { openTemplateText } from '#core/templates/templateText.ts';
import { toTokenView, type TokenView } from '#features/datasets/shared/modelView/tokenView.ts';
import { toModelView, type ModelView } from '#features/datasets/shared/modelView/whatModelSees.ts';
import type { Vocabulary } from '#engine/vocabulary.ts';

/** Characters of a row that are shown; a row may be a whole book. All of it is counted. */
const SHOWN_CHARACTERS = 100_000;

export type ModelViewOfRow = Omit<RowView, 'model'>;

/**
 * What a model sees of a row, in numbers. Of a row for DPO or KTO it is what these train: its prompt with each answer, which
 * a context cuts one by one; where one of them is cut off, nothing of the row is trained.
 */
export interface RowTokens
  extends Pick<TokenView, 'tokens' | 'trained' | 'cut' | 'trainedCut'>, Pick<ModelView, 'problem' | 'dropped'> {
  /** Of the shorter answer of a pair with its prompt; `tokens` are those of the longer one. 0: the row is no pair. */
  readonly otherTokens: number;
}

/** What a model's file says of it. */
export interface ModelFacts {
  /** Tokens; null: it does not say. */
  readonly context: number | null;
  /** llama.cpp's number; null: it does not say. */
  readonly type: number | null;
  /** Put before each text by whoever serves the model; empty: nothing. */
  readonly beginText: string;
  /** Ends an answer. */
  readonly endText: string;
}

export type Chat = readonly Pick<ChatMessage, 'role' | 'content'>[];

/** Texts of conversations, or why the template gives none. */
export type RenderedChats = { readonly texts: readonly string[] } | { readonly problem: string };

export interface ModelEyes {
  /** Tokens that the model reads; null: its file does not say. */
  readonly context: number | null;
  readonly facts: ModelFacts;
  /** Conversations, opened for an answer. */
  render(chats: readonly Chat[]): RenderedChats;
  see(row: ChatRow, context: number | null): ModelViewOfRow;
  count(row: ChatRow, context: number | null): RowTokens;
}

function readContext(model: LlamaModel): number | null {
  const shape: unknown = model.fileInfo.architectureMetadata;
  const length = isObject(shape) ? numberOr(shape['context_length'], 0) : 0;
  return length > 0 ? length : null;
}

function toFacts(model: LlamaModel, { bosText, eosText }: Vocabulary): ModelFacts {
  const { general, tokenizer } = model.fileInfo.metadata;
  const type: unknown = general.file_type;
  return {
    context: readContext(model),
    type: typeof type === 'number' ? type : null,
    beginText: tokenizer?.ggml.add_bos_token === true ? bosText : '',
    endText: eosText,
  };
}

/** The stretches of the text that are shown, with the tokens of each. */
function toSpans({ parts }: ModelView, { spans, ends }: TokenView): Pick<ModelViewOfRow, 'spans' | 'left_out'> {
  const text = parts.flatMap(({ pieces }) => pieces).join('');
  const shown: ModelViewOfRow['spans'] = [];
  let token = 0;
  for (const { from, to, isTrained, isCut, message } of spans) {
    if (from >= SHOWN_CHARACTERS) break;
    const end = Math.min(to, SHOWN_CHARACTERS);
    const inside: number[] = [];
    for (; token < ends.length && (ends[token] ?? 0) <= to; token += 1) {
      const at = ends[token] ?? 0;
      if (at > from && at <= end && inside.at(-1) !== at - from) inside.push(at - from);
    }
    shown.push({
      text: text.slice(from, end).toWellFormed(),
      is_trained: isTrained,
      is_cut: isCut,
      message,
      tokens: inside,
    });
  }
  return { spans: shown, left_out: Math.max(0, text.length - SHOWN_CHARACTERS) };
}

/** Throws if the chat template of the file is no template. */
export function openModelEyes(model: LlamaModel, vocabulary: Vocabulary): ModelEyes {
  const source: unknown = model.fileInfo.metadata.tokenizer?.chat_template;
  const { bosText, eosText, markTexts } = vocabulary;
  const marks = { bosText, eosText, markTexts };
  const hasTemplate = typeof source === 'string';
  const template = openTemplateText({ text: hasTemplate ? source : null, marks });
  const own = readContext(model);

  /** `isShown`: how many characters each token has is asked for too. */
  function look(row: ChatRow, context: number | null, isShown: boolean): { view: ModelView; tokens: TokenView } {
    const view = toModelView(row, template, marks);
    const decoder = vocabulary.openDecoder([], true);
    let isFirst = true;
    const toLengths = (piece: string): readonly number[] => {
      const tokens = vocabulary.tokenizePiece(piece, isFirst);
      const texts = tokens.map((token) => (isShown ? decoder.push(token) : ''));
      // A beginning that the tokenizer adds has no text of the row.
      const isAdded = isFirst && texts[0] === bosText && !piece.startsWith(bosText);
      isFirst = false;
      return texts.map((text, at) => (at === 0 && isAdded ? 0 : text.length));
    };
    return { view, tokens: toTokenView(view, toLengths, context ?? own) };
  }

  return {
    context: own,
    facts: toFacts(model, vocabulary),
    render(chats) {
      try {
        return { texts: chats.map((chat) => splitAtCuts(template.render(chat, [], true)).join('')) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { problem: `Its chat template refuses a conversation: ${reason.replace(/\.?$/, '.')}` };
      }
    },
    see(row, context) {
      const { view, tokens } = look(row, context, true);
      return {
        context: context ?? own,
        model_context: own,
        template: hasTemplate ? 'file' : 'chatml',
        tokens: tokens.tokens,
        trained: tokens.trained,
        cut: tokens.cut,
        trained_cut: tokens.trainedCut,
        dropped: [...view.dropped],
        problem: view.problem && { ...view.problem },
        ...toSpans(view, tokens),
      };
    },
    count(row, context) {
      const { view, tokens } = look(row, context, false);
      const answers = toAnswerChats(row).map(({ chat }) => look(chat, context, false).tokens);
      const sum = (toNumber: (one: TokenView) => number): number =>
        (answers.length === 0 ? [tokens] : answers).reduce((all, one) => all + toNumber(one), 0);
      const longest = Math.max(tokens.tokens, ...answers.map((one) => one.tokens));
      const trained = sum((one) => one.trained);
      return {
        tokens: longest,
        otherTokens: sum((one) => one.tokens) - longest,
        trained,
        cut: sum((one) => one.cut),
        trainedCut: answers.some((one) => one.trained === one.trainedCut) ? trained : sum((one) => one.trainedCut),
        problem: view.problem,
        dropped: view.dropped,
      };
    },
  };
}
