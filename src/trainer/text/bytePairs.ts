// Byte pairs: a piece of text becomes tokens by joining, again and again, the pair that was learnt first.

export interface BytePairs {
  /** Tokens of one piece, given as one printable character for each byte. */
  encode(piece: string): readonly number[];
}

/** A join that was possible when it was found. */
interface Join {
  readonly rank: number;
  readonly left: number;
  readonly text: string;
}

const isBefore = (one: Join, other: Join): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.left < other.left);

/** A binary heap: the join of the lowest rank comes first, of equal ones the leftmost. */
class JoinQueue {
  readonly #items: Join[] = [];

  push(item: Join): void {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = this.#items[above];
      if (other === undefined || !isBefore(item, other)) break;
      this.#items[at] = other;
      at = above;
    }
    this.#items[at] = item;
  }

  pop(): Join | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (first === undefined || last === undefined || this.#items.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      const [one, two] = [this.#items[below], this.#items[below + 1]];
      if (one === undefined) break;
      if (two !== undefined && isBefore(two, one)) below += 1;
      const least = this.#items[below];
      if (least === undefined || !isBefore(least, last)) break;
      this.#items[at] = least;
      at = below;
    }
    this.#items[at] = last;
    return first;
  }
}

const MOST_CACHED = 20_000;

/** `merges`: pairs in the order in which they were learnt, their halves separated by a space. */
export function openBytePairs(tokens: ReadonlyMap<string, number>, merges: readonly string[]): BytePairs {
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  const cache = new Map<string, readonly number[]>();
  const join = (piece: string): readonly number[] => {
    const parts: (string | null)[] = [...piece];
    const next = parts.map((_, index) => index + 1);
    const previous = parts.map((_, index) => index - 1);
    const queue = new JoinQueue();
    const offer = (left: number, right: number): void => {
      const [one, two] = [parts[left], parts[right]];
      if (one == null || two == null) return;
      const rank = ranks.get(`${one} ${two}`);
      if (rank !== undefined) queue.push({ rank, left, text: one + two });
    };
    for (let index = 0; index + 1 < parts.length; index += 1) offer(index, index + 1);
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const right = next[item.left] ?? parts.length;
      const [one, two] = [parts[item.left], parts[right]];
      // One of the two was joined with another neighbour meanwhile.
      if (one == null || two == null || one + two !== item.text) continue;
      parts[item.left] = item.text;
      parts[right] = null;
      const after = next[right] ?? parts.length;
      next[item.left] = after;
      if (after < parts.length) previous[after] = item.left;
      offer(previous[item.left] ?? -1, item.left);
      offer(item.left, after);
    }
    // A pair that is no token falls apart into its bytes.
    return parts.flatMap((part) => {
      if (part === null) return [];
      const token = tokens.get(part);
      return token === undefined ? [...part].flatMap((char) => tokens.get(char) ?? []) : [token];
    });
  };
  return {
    encode(piece) {
      const known = cache.get(piece);
      if (known !== undefined) return known;
      const found = join(piece);
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(piece, found);
      return found;
    },
  };
}
