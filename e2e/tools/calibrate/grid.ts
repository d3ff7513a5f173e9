// Which settings are tried, and in which order: from the best so far to its neighbours, so that a part of the grid is
// already of use. Pure.
import type { Settings } from '#features/experiments/shared/measured/measuredRun.ts';

export const RATES = [3.75e-4, 7.5e-4, 1.5e-3, 3e-3, 6e-3, 1.2e-2, 2.4e-2] as const;
export const BATCHES = [2, 4, 8] as const;
export const EPOCHS = [3, 6, 10] as const;

/** Settings of both ways of training together, for one task. */
export const GRID_SIZE = RATES.length * BATCHES.length * EPOCHS.length * 2;

/** Where the search begins. */
const START = { full: { rate: 3, batch: 1, epochs: 1 }, lora: { rate: 5, batch: 1, epochs: 1 } } as const;

interface Place {
  readonly rate: number;
  readonly batch: number;
  readonly epochs: number;
}

export interface Tried {
  readonly settings: Settings;
  /** Validation loss; null: it diverged. */
  readonly loss: number | null;
}

function toSettings(lora: boolean, { rate, batch, epochs }: Place): Settings | null {
  const [learning_rate, batch_size, n_epochs] = [RATES[rate], BATCHES[batch], EPOCHS[epochs]];
  if (learning_rate === undefined || batch_size === undefined || n_epochs === undefined) return null;
  return { lora, learning_rate, batch_size, n_epochs };
}

export const toSettingsName = ({ lora, learning_rate, batch_size, n_epochs }: Settings): string =>
  `${lora ? 'lora' : 'full'} ${learning_rate} x${batch_size} ${n_epochs} epochs`;

/** null: these settings are not on the grid. */
function toPlace({ learning_rate, batch_size, n_epochs }: Settings): Place | null {
  const place = {
    rate: RATES.findIndex((rate) => rate === learning_rate),
    batch: BATCHES.findIndex((batch) => batch === batch_size),
    epochs: EPOCHS.findIndex((epochs) => epochs === n_epochs),
  };
  return Math.min(place.rate, place.batch, place.epochs) < 0 ? null : place;
}

export const isOnGrid = (settings: Settings): boolean => toPlace(settings) !== null;

/** One step along each coordinate. Those that train more come first: small data is seldom trained enough. */
const STEPS = [
  { rate: 0, batch: 0, epochs: 1 },
  { rate: 1, batch: 0, epochs: 0 },
  { rate: 0, batch: -1, epochs: 0 },
  { rate: -1, batch: 0, epochs: 0 },
  { rate: 0, batch: 1, epochs: 0 },
  { rate: 0, batch: 0, epochs: -1 },
] as const;

/**
 * What to try next of one way of training, given what one task has tried: a neighbour of the best, then of the next best,
 * until the grid is used up (null).
 */
export function toNext(lora: boolean, tried: readonly Tried[]): Settings | null {
  const own = tried.filter(({ settings }) => settings.lora === lora);
  const known = new Set(own.map(({ settings }) => toSettingsName(settings)));
  const order = own
    .flatMap(({ settings, loss }) => {
      const place = toPlace(settings);
      return place === null ? [] : [{ place, loss: loss ?? Number.POSITIVE_INFINITY }];
    })
    .toSorted((a, b) => a.loss - b.loss);
  const start = toSettings(lora, START[lora ? 'lora' : 'full']);
  if (order.length === 0) return start;
  for (const { place } of order)
    for (const step of STEPS) {
      const next = toSettings(lora, {
        rate: place.rate + step.rate,
        batch: place.batch + step.batch,
        epochs: place.epochs + step.epochs,
      });
      if (next !== null && !known.has(toSettingsName(next))) return next;
    }
  return null;
}
