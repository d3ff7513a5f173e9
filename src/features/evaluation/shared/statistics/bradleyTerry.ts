// How strong models are, from pairs of answers of which one was preferred (Bradley and Terry 1952, doi 10.2307/2334029). Pure
// arithmetic.
import { toMean } from './estimate.ts';

export interface JudgedPair {
  readonly first: string;
  readonly second: string;
  readonly winner: 'first' | 'second' | 'tie';
  /** Pairs of one row are not independent of each other. Absent: each pair is a row of its own. */
  readonly row?: string | number;
}

export interface Strength {
  readonly model: string;
  /** Pairs that it was in, and its share of them: a tie is half a win. */
  readonly pairs: number;
  readonly winRate: number;
  /**
   * The logarithm of the odds that it wins against the reference, which has 0; and the bounds of its 95 % interval. null: one
   * group of models won every pair against the others, so that these odds have no bound.
   */
  readonly strength: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const Z = 1.959963984540054;
const MAX_STEPS = 100;

type Matrix = readonly (readonly number[])[];

/** The inverse, by Gauss and Jordan; null: there is none. */
function toInverse(matrix: Matrix): Matrix | null {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => Number(column === at))]);
  for (let at = 0; at < size; at += 1) {
    const pivot = rows.reduce((best, row, place) => {
      if (place < at) return best;
      return Math.abs(row[at] ?? 0) > Math.abs(rows[best]?.[at] ?? 0) ? place : best;
    }, at);
    const [own, other] = [rows[at], rows[pivot]];
    const scale = other?.[at] ?? 0;
    if (!own || !other || Math.abs(scale) < 1e-12) return null;
    rows[pivot] = own;
    const scaled = other.map((value) => value / scale);
    rows[at] = scaled;
    for (const [place, row] of rows.entries())
      if (place !== at) rows[place] = row.map((value, column) => value - (row[at] ?? 0) * (scaled[column] ?? 0));
  }
  return rows.map((row) => row.slice(size));
}

const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) =>
    (b[0] ?? []).map((_, column) => row.reduce((sum, value, at) => sum + value * (b[at]?.[column] ?? 0), 0)),
  );

interface Game {
  readonly first: number;
  readonly second: number;
  /** 1: the first won; 0.5: a tie. */
  readonly won: number;
  readonly row: string | number;
}

/** Whether each model has beaten each other one, directly or through others (Ford 1957): only then the strengths have bounds. */
function isConnected(games: readonly Game[], count: number): boolean {
  const beaten = Array.from({ length: count }, () => new Set<number>());
  const beatenBy = beaten.map(() => new Set<number>());
  const add = (winner: number, loser: number): void => {
    beaten[winner]?.add(loser);
    beatenBy[loser]?.add(winner);
  };
  for (const { first, second, won } of games) {
    if (won > 0) add(first, second);
    if (won < 1) add(second, first);
  }
  return [beaten, beatenBy].every((next) => {
    const seen = new Set([0]);
    for (const at of seen) for (const other of next[at] ?? []) seen.add(other);
    return seen.size === count;
  });
}

const add = (list: number[] | undefined, at: number, value: number): void => {
  if (list && at >= 0) list[at] = (list[at] ?? 0) + value;
};

const toChance = ({ first, second }: Game, strengths: readonly number[]): number =>
  1 / (1 + Math.exp((strengths[second] ?? 0) - (strengths[first] ?? 0)));

/** Adds what a game says of the strengths to the slope of the likelihood. The reference comes first and has no slope. */
function addSlope(slope: number[], game: Game, strengths: readonly number[]): void {
  const surprise = game.won - toChance(game, strengths);
  add(slope, game.first - 1, surprise);
  add(slope, game.second - 1, -surprise);
}

/** The slope of the likelihood by each strength but the reference's, and its curvature. */
function toSlopes(games: readonly Game[], strengths: readonly number[]) {
  const slope = strengths.slice(1).map(() => 0);
  const curvature = slope.map(() => slope.map(() => 0));
  for (const game of games) {
    addSlope(slope, game, strengths);
    const chance = toChance(game, strengths);
    const weight = chance * (1 - chance);
    const [one, other] = [game.first - 1, game.second - 1];
    add(curvature[one], one, weight);
    add(curvature[other], other, weight);
    add(curvature[one], other, -weight);
    add(curvature[other], one, -weight);
  }
  return { slope, curvature };
}

/**
 * The covariance of the strengths. Where rows have several pairs it is that of rows (Liang and Zeger 1986, doi
 * 10.1093/biomet/73.1.13), corrected for few of them.
 */
function toCovariance(inverse: Matrix, games: readonly Game[], strengths: readonly number[]): Matrix {
  const byRow = new Map<string | number, number[]>();
  for (const game of games) {
    const slope = byRow.get(game.row) ?? inverse.map(() => 0);
    addSlope(slope, game, strengths);
    byRow.set(game.row, slope);
  }
  const rows = byRow.size;
  if (rows === games.length || rows === 1 || games.length <= inverse.length) return inverse;
  const slopes = [...byRow.values()];
  const outer = inverse.map((line, at) =>
    line.map((_, other) => slopes.reduce((sum, slope) => sum + (slope[at] ?? 0) * (slope[other] ?? 0), 0)),
  );
  const correction = (rows / (rows - 1)) * ((games.length - 1) / (games.length - inverse.length));
  return multiply(multiply(inverse, outer), inverse).map((line) => line.map((value) => value * correction));
}

/** The strengths of all but the first model, and their covariance; null: they don't settle. */
function fit(games: readonly Game[], count: number): { strengths: readonly number[]; covariance: Matrix } | null {
  let strengths = Array.from({ length: count }, () => 0);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { slope, curvature } = toSlopes(games, strengths);
    const inverse = toInverse(curvature);
    if (!inverse) return null;
    const change = multiply(
      inverse,
      slope.map((value) => [value]),
    ).map(([value = 0]) => value);
    if (change.every((value) => Math.abs(value) < 1e-10))
      return { strengths, covariance: toCovariance(inverse, games, strengths) };
    // A step beyond 2 overshoots where few pairs say much.
    const shrink = Math.min(1, 2 / Math.max(...change.map(Math.abs)));
    strengths = strengths.map((value, at) => (at === 0 ? 0 : value + shrink * (change[at - 1] ?? 0)));
  }
  return null;
}

/**
 * The strengths of all models of the pairs, the strongest first, beside the `reference`, which must be one of them. A tie is half
 * a win for both. The intervals are of the difference from the reference, which therefore has none.
 */
export function toStrengths(pairs: readonly JudgedPair[], reference: string): readonly Strength[] {
  const models = [...new Set([reference, ...pairs.flatMap(({ first, second }) => [first, second])])];
  const places = new Map(models.map((model, at) => [model, at]));
  const games = pairs.map(({ first, second, winner, row }, at): Game => ({
    first: places.get(first) ?? 0,
    second: places.get(second) ?? 0,
    won: { first: 1, second: 0, tie: 0.5 }[winner],
    row: row ?? `pair ${at}`,
  }));
  const fitted = isConnected(games, models.length) ? fit(games, models.length) : null;
  const shares = models.map((): number[] => []);
  for (const { first, second, won } of games) {
    shares[first]?.push(won);
    shares[second]?.push(1 - won);
  }
  return models
    .map((model, at): Strength => {
      const own = shares[at] ?? [];
      const strength = fitted?.strengths[at] ?? null;
      const half = at === 0 ? 0 : Z * Math.sqrt(fitted?.covariance[at - 1]?.[at - 1] ?? 0);
      return {
        model,
        pairs: own.length,
        winRate: toMean(own),
        strength,
        low: strength === null ? null : strength - half,
        high: strength === null ? null : strength + half,
      };
    })
    .toSorted((a, b) => (b.strength ?? b.winRate) - (a.strength ?? a.winRate));
}
