// Rows of tokens side by side, as the model reads them in one pass.

/** Tokens of a conversation. Those from `isTarget` 1 on are learnt: they are what an assistant said. */
export interface TokenRow {
  readonly tokens: Int32Array;
  /** 1 for each token that the model should have written itself. The first token never counts. */
  readonly isTarget: Uint8Array;
}

export interface Segment {
  /** Index of its first token in the batch. */
  readonly from: number;
  readonly length: number;
}

export interface Batch {
  readonly tokens: Int32Array;
  /** The place of each token in its own row. */
  readonly positions: Int32Array;
  /** A token sees only its own segment: rows never mix. */
  readonly segments: readonly Segment[];
  /** Tokens after which a target comes, and the targets. */
  readonly askedAt: Int32Array;
  readonly targets: Int32Array;
}

/** The last token of a row predicts nothing, so a row takes one token less than it has. */
export const toRowLength = (row: TokenRow): number => row.tokens.length - 1;

/** Tokens of a row that are learnt. */
export const countTargets = ({ isTarget }: TokenRow): number => isTarget.subarray(1).reduce((sum, one) => sum + one, 0);

export function toBatch(rows: readonly TokenRow[]): Batch {
  const count = rows.reduce((sum, row) => sum + toRowLength(row), 0);
  const tokens = new Int32Array(count);
  const positions = new Int32Array(count);
  const segments: Segment[] = [];
  const askedAt: number[] = [];
  const targets: number[] = [];
  let from = 0;
  for (const row of rows) {
    const length = toRowLength(row);
    tokens.set(row.tokens.subarray(0, length), from);
    for (let at = 0; at < length; at += 1) {
      positions[from + at] = at;
      if (row.isTarget[at + 1] !== 1) continue;
      askedAt.push(from + at);
      targets.push(row.tokens[at + 1] ?? 0);
    }
    segments.push({ from, length });
    from += length;
  }
  return { tokens, positions, segments, askedAt: Int32Array.from(askedAt), targets: Int32Array.from(targets) };
}
