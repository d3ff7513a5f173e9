// What the process that renders rows and the studio say to each other.
import type { RowView } from '#shared/contract/data/rowView.ts';
import type { TokenView } from '#shared/data/view/tokenView.ts';
import type { ModelView } from '#shared/data/view/whatModelSees.ts';

/** A GGUF file that says how its model reads rows. */
export interface ViewFile {
  readonly path: string;
  /** Changes when the file does. */
  readonly version: string;
}

/** What a model sees of a row, in numbers. */
export type RowTokens = Pick<TokenView, 'tokens' | 'trained' | 'cut' | 'trainedCut'> &
  Pick<ModelView, 'problem' | 'dropped'>;

export type ViewOrder =
  /** One row, whole. `context` null: the model's own. */
  | { readonly kind: 'view'; readonly file: ViewFile; readonly row: string; readonly context: number | null }
  | {
      readonly kind: 'count';
      readonly file: ViewFile;
      readonly rows: readonly string[];
      readonly context: number | null;
    };

export type SeenRow = Omit<RowView, 'model'>;

export interface CountedRows {
  /** Of the model, in tokens; null: its file does not say. */
  readonly context: number | null;
  readonly rows: readonly RowTokens[];
}

export type ViewReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'seen'; readonly view: SeenRow }
  | { readonly kind: 'counted'; readonly counted: CountedRows }
  /** The file can't be read. */
  | { readonly kind: 'failed'; readonly reason: string };
