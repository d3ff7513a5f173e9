// Starts the service: listens first, then opens the dashboard and the backend (studio or gateway) in parallel.
// A failure closes everything again and is a StartError of one line.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openFileTokens } from '#features/access/server/fileTokens.ts';
import type { TokenStore } from '#features/access/server/tokens.ts';
import { noteTokenPlace } from '#features/access/server/tokenPlace.ts';
import { toApp } from '#app/server/app.ts';
import type { StudioFacts } from '#core/contract/sessionInfo.ts';
import { openAuthentication } from '#service/http/authentication.ts';
import type { Backend, BackendDeps, Readiness } from '#app/server/backend.ts';
import { ensureBuilt } from './build.ts';
import { openEndedSessions } from '#service/http/endedSessions.ts';
import { toMetricsRoute } from '#app/server/metrics/metricsRoute.ts';
import { openRequestCounts } from '#app/server/metrics/requestCounts.ts';
import type { Settings } from './settings.ts';
import { toBuiltFront, type Front } from '#service/http/dashboardFiles.ts';
import { openStreams } from '#service/http/openStreams.ts';
import { IS_PACKAGED, PROJECT_ROOT, readVersion } from './projectRoot.ts';
import { openServer, type HttpServer } from '#app/server/server.ts';
import { StartError } from '#service/database/startError.ts';
import { SESSION_SECONDS } from '#service/http/sessions.ts';
import { readStaticFiles, type StaticFiles } from '#service/http/staticFiles.ts';
import { readToken } from './token.ts';

export interface RunningService {
  readonly port: number;
  /** The address to print. It holds the token only if this service made it, not if the operator set it. */
  readonly link: string;
  /** An address that signs in once, for opening a browser. */
  makeOpeningLink(): string;
  /** Ends running answers with an error event, closes the studio. */
  close(): Promise<void>;
}

/** How long running answers may take to send their last event. */
const CLOSE_GRACE_MS = 2_000;

async function openFront(
  settings: Settings,
  http: HttpServer,
  { report, signal }: { report: (line: string) => void; signal: AbortSignal },
): Promise<Front> {
  if (IS_PACKAGED && settings.isDev)
    throw new StartError('--dev needs the sources, which an installed package does not hold. Start it without --dev.');
  if (IS_PACKAGED) return toBuiltFront(readStaticFiles(join(PROJECT_ROOT, 'dist')));
  if (settings.isDev) {
    const { openDevFront } = await import('./devServer.ts');
    const { host, publicUrl } = settings;
    return openDevFront({ root: PROJECT_ROOT, server: http.server, host, publicUrl });
  }
  const onBuild = (): void =>
    report('Building the dashboard: some seconds, at the first start and after a change of its sources.');
  const read = async (): Promise<StaticFiles> =>
    readStaticFiles(await ensureBuilt({ root: PROJECT_ROOT, signal, onBuild }));
  // Another start may have replaced the folder while it was read.
  return toBuiltFront(
    await read().catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? read() : Promise.reject(error))),
  );
}

/** Each mode loads only its own half: a gateway needs neither database nor engine. */
async function openBackend(settings: Settings, deps: BackendDeps): Promise<Backend> {
  const { mode } = settings;
  if (mode.kind === 'gateway') return (await import('./gatewayBackend.ts')).openGatewayBackend(mode, deps);
  return (await import('./localBackend.ts')).openLocalBackend(mode, settings.dataDir, deps);
}

/** Opens both or neither: when one fails, the other is stopped or closed. */
async function openBoth(settings: Settings, http: HttpServer, deps: BackendDeps): Promise<readonly [Front, Backend]> {
  const aborter = new AbortController();
  const front = openFront(settings, http, { report: deps.report, signal: aborter.signal });
  const backend = openBackend(settings, deps);
  try {
    return await Promise.all([front, backend]);
  } catch (error) {
    aborter.abort();
    await Promise.allSettled([front.then((opened) => opened.close()), backend.then((opened) => opened.close())]);
    throw error;
  }
}

/** Named tokens, and those of runs' own workers. */
function withRunTokens(tokens: TokenStore, findRun: Backend['findRun'] = async () => null): TokenStore {
  return {
    ...tokens,
    async find(hash) {
      const named = await tokens.find(hash);
      const run = named ? null : await findRun(hash);
      return run === null ? named : { name: `run ${run}`, isReadOnly: false, createdAt: new Date(0), run };
    },
  };
}

/** Resolves when the service answers. `end`: ends the process when the service can't go on. Throws StartError. */
export async function startService(
  settings: Settings,
  report: (line: string) => void,
  end: (reason: string) => void = report,
): Promise<RunningService> {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
  const version = readVersion();
  const streams = openStreams();
  const { publicUrl } = settings;
  const now = Date.now;
  const http = await openServer({ host: settings.host, port: settings.port, publicUrl, random });
  try {
    const deps: BackendDeps = { streams, now, random, report, version, origin: http.origin, end };
    const [front, backend] = await openBoth(settings, http, deps);
    // After the backend: it makes the data folder, and its lock keeps a second process from making another token.
    const token = settings.token ?? readToken(settings.dataDir, random);
    const ended = openEndedSessions(settings.dataDir, SESSION_SECONDS * 1000, now);
    const authentication = openAuthentication({ token, port: http.port, publicUrl, ended, now, random });
    const requests = openRequestCounts();
    const { activity, readMetrics } = backend;
    const tokens = withRunTokens(backend.tokens ?? openFileTokens(settings.dataDir), backend.findRun);
    await noteTokenPlace(settings.dataDir, backend.tokenPlace ?? null);
    const session = (): Promise<StudioFacts> => backend.session();
    const readiness = (): Promise<Readiness> => backend.readiness();
    const metrics = toMetricsRoute({
      version,
      isOpen: settings.hasOpenMetrics,
      requests,
      streams,
      readiness,
      ...(readMetrics ? { readBackend: readMetrics } : {}),
    });
    const routes = [...backend.routes, metrics];
    const record = activity ? { record: activity.record } : {};
    http.serve(
      toApp({
        routes,
        session,
        readiness,
        authentication,
        tokens,
        ...record,
        requests,
        front,
        version,
        random,
        report,
      }),
      front,
    );
    return {
      port: http.port,
      link: settings.token === null ? `${http.origin}/?token=${encodeURIComponent(token)}` : `${http.origin}/`,
      makeOpeningLink: () => `${http.origin}/?token=${authentication.makeCode()}`,
      async close() {
        const closed = http.close(CLOSE_GRACE_MS);
        streams.endAll();
        await closed;
        try {
          await front.close();
        } finally {
          await backend.close();
        }
      },
    };
  } catch (error) {
    await http.close(0);
    throw error;
  }
}
