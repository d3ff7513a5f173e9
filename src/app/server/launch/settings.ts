// What a start is told by flags and the environment.
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import type { UpstreamOptions } from '#engine/upstream/upstreamEngine.ts';
import type { EvaluatorAccess } from '#features/evaluation/server/scoring/ownEvaluator.ts';
import type { WebhookOptions } from '#features/training/server/webhook.ts';
import type { PathMap } from '#features/serving/server/engineLoader.ts';

export interface LocalSettings {
  readonly kind: 'local';
  readonly hasSample: boolean;
  readonly databaseUrl: string | null;
  readonly engine: Pick<UpstreamOptions, 'baseUrl' | 'apiKey' | 'named'> | null;
  /** Values of --model, each `ID=FILE.gguf`. */
  readonly models: readonly string[];
  /** Folders here, and the same folders on the machine of the engine. */
  readonly enginePaths: readonly PathMap[];
  /** Folders with runs of other trainers, absolute. */
  readonly runs: readonly string[];
  /** The words of --trainer; null: none was given. `none`: nothing trains on this machine. */
  readonly trainer: readonly string[] | 'none' | null;
  /** That the built-in trainer may use for a run; null: one for each processor. */
  readonly threads: number | null;
  /** Programs of people that may judge answers. */
  readonly evaluators: EvaluatorAccess;
  /** A program that hears of ends of runs; null: none. */
  readonly webhook?: Pick<WebhookOptions, 'url' | 'key'> | null;
  readonly gpu: GpuChoice;
  /** The operator's launchers, absolute; null: launchers.json of the data folder, if it is there. */
  readonly launchers: string | null;
  /** How long a job stays with a service that is silent; null: as the studio has it. */
  readonly leaseSeconds: number | null;
}

export interface GatewaySettings {
  readonly kind: 'gateway';
  readonly baseUrl: URL;
  readonly apiKey: string;
}

export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The origin that people open, if it differs from the address that the studio listens on. */
  readonly publicUrl: URL | null;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the service makes one and stores it in the data folder. */
  readonly token: string | null;
  readonly opensBrowser: boolean;
  readonly isDev: boolean;
  /** Whether `GET /metrics` needs no token. */
  readonly hasOpenMetrics: boolean;
  readonly mode: LocalSettings | GatewaySettings;
  /** Risks that don't stop the start but that the operator should know; one line each. */
  readonly warnings: readonly string[];
}
