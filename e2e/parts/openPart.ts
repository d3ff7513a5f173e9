// Mounts the playground alone or the whole page: fresh code, an empty browser, and a studio over HTTP.
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { openRemoteStudio, type RemoteStudio } from '../remoteStudio.ts';
import type { startStudio as start } from '../startStudio.ts';
import type { SentBody } from '../steps.ts';
import type { runPage } from './builtPage.ts';
import { Locator, pressKeys, typeText } from './locate.ts';

const TOKEN = 'remote-secret';
/** `environment.ts` sets them, because building the page and the service needs Node's modules. */
const { runPartPage, startStudio } = globalThis as unknown as {
  runPartPage: typeof runPage;
  startStudio: typeof start;
};

/** Answered by the studio itself, not by the remote one: its mode, and what `echo-taught` was trained for. */
const OWN: Readonly<Record<string, unknown>> = {
  '/api/session': { mode: 'gateway' },
  '/api/examples/echo-taught': {
    model: 'echo-taught',
    about: 'Sorts tickets.',
    system_prompt: 'Classify the ticket.',
    tools: [{ type: 'function', function: { name: 'find_ticket' } }],
    prompts: ['The password reset email never arrives.'],
  },
};

/** Leaves the page as a reload does, once all is stored. */
async function leave(unmount: () => void): Promise<void> {
  window.dispatchEvent(new Event('pagehide'));
  for (const { name = '' } of await indexedDB.databases()) {
    const open = await done(indexedDB.open(name));
    // It has its turn once the page's own writes have ended.
    const transaction = open.transaction([...open.objectStoreNames], 'readwrite');
    await new Promise((resolve) => transaction.addEventListener('complete', resolve, { once: true }));
    open.close();
  }
  unmount();
  document.body.replaceChildren();
}

const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('The database does not open.', { cause: request.error })));
  });

/** A browser that has kept nothing yet. */
function emptyBrowser(): void {
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem('studio.parameters', 'open');
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
}

/** Notes how to end what the page's code listens for beyond its elements. Others of the document are of user-event. */
function noteListening(stops: (() => void)[]): () => void {
  const targets = [window, document].map((target: EventTarget) => {
    const { addEventListener } = target;
    target.addEventListener = (...given) => {
      addEventListener.apply(target, given);
      const [type, listener, options] = given;
      if (target === window || type === 'visibilitychange' || type === 'selectionchange')
        stops.push(() => target.removeEventListener(type, listener, options));
    };
    return { target, addEventListener };
  });
  return () => targets.forEach(({ target, addEventListener }) => Object.assign(target, { addEventListener }));
}

/** What is mounted, and what left it. */
export class Part extends Locator {
  readonly remote: RemoteStudio;
  /** Bodies of the chat requests. */
  readonly sent: readonly SentBody[];
  /** Texts of the files that were saved. */
  readonly saved: readonly string[];
  readonly keyboard = { press: pressKeys, type: typeText };

  constructor(remote: RemoteStudio, sent: readonly SentBody[], saved: readonly string[]) {
    super(() => [document.documentElement]);
    this.remote = remote;
    this.sent = sent;
    this.saved = saved;
  }

  /** Goes to an address within the page, as Back does. */
  goTo(search: string): void {
    history.pushState(null, '', search);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }
}

/** What answers the requests of a page. */
interface Backend {
  readonly origin: string;
  readonly token: string;
  /** Answered here. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly remote: RemoteStudio;
  close(): Promise<unknown>;
}

async function openRemote(): Promise<Backend> {
  const remote = await openRemoteStudio({ token: TOKEN });
  return { origin: remote.url, token: TOKEN, own: OWN, remote, close: () => remote.close() };
}

/** A studio as a process of its own: a gateway to a remote one. */
async function openGateway(): Promise<Backend> {
  const remote = await openRemoteStudio({ token: TOKEN });
  const started = startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: TOKEN } });
  started.catch(() => void remote.close());
  const { origin, token, stop } = await started;
  return {
    origin,
    token,
    own: {},
    remote,
    async close() {
      await stop();
      await remote.close();
    },
  };
}

interface OpenOptions {
  /** Nothing has been kept. */
  readonly isOtherBrowser?: boolean;
  /** What models bring is answered after this. */
  readonly examples?: Promise<void>;
}

type Opener = (address: string, options?: OpenOptions) => Promise<Part>;

/**
 * The playground alone, with the project that its address names, before a remote studio. `keepPart` and `keepStudio` give
 * each test of a file a function that opens a page at an address. Opened once more, it is the page after a reload: fresh
 * code with what this browser has kept. Answers that still run are no matter for that: their requests would go on. A test
 * fails if its pages log an error or ask another origin.
 */
export const keepPart = (): Opener =>
  keepPage('playground', openRemote, (part) =>
    // What this browser keeps has been read, and is shown or said to be the reason why nothing is.
    part
      .getByRole('region', { name: 'Pane 1', exact: true })
      .or(part.getByRole('button', { name: 'Import rows' }))
      .or(part.getByText('The playground stopped working', { exact: true })),
  );

/** The same for the whole page, before a gateway to a remote studio. */
export const keepStudio = (): Opener =>
  keepPage('studio', openGateway, (part) =>
    part.getByRole('tree').or(part.getByText('This studio has no such project')),
  );

function keepPage(
  page: 'playground' | 'studio',
  open: () => Promise<Backend>,
  toReady: (part: Part) => Locator,
): Opener {
  let backend: Backend | null = null;
  let unmount: (() => void) | null = null;
  let sent: SentBody[] = [];
  let saved: string[] = [];
  let workers: Worker[] = [];
  let examples: Promise<void> | null = null;
  let faults: string[] = [];
  const stops: (() => void)[] = [];
  let stopNoting: () => void = () => undefined;
  beforeAll(async () => {
    stopNoting = noteListening(stops);
    backend = await open();
    // The first studio of all builds the dashboard.
  }, 240_000);
  afterAll(() => {
    stopNoting();
    return backend?.close();
  });
  beforeEach(() => {
    backend?.remote.restore();
    [sent, saved, faults] = [[], [], []];
    examples = null;
    emptyBrowser();
    vi.spyOn(console, 'error').mockImplementation((...said) => void faults.push(said.map(String).join(' ')));
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      void (blob as Blob).text().then((text) => saved.push(text));
      return 'blob:saved';
    });
    vi.stubGlobal(
      'Worker',
      class extends Worker {
        constructor(url: URL) {
          super(url);
          workers.push(this);
        }
      },
    );
    vi.stubGlobal(
      'BroadcastChannel',
      class extends BroadcastChannel {
        constructor(name: string) {
          super(name);
          stops.push(() => this.close());
        }
      },
    );
    // happy-dom would leave the page for the file.
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    const send = globalThis.fetch;
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      const { origin = '', token = '', own = {} } = backend ?? {};
      if (!path.startsWith('/')) faults.push(`request to ${path}`);
      if (path.startsWith('/api/examples/')) await examples;
      if (path in own) return Response.json(own[path]);
      if (path.endsWith('/chat/completions')) sent.push(JSON.parse(String(init.body)) as SentBody);
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
      return send(`${origin}${path}`, { ...init, headers });
    });
  });
  afterEach(() => {
    unmount?.();
    unmount = null;
    for (const worker of workers) worker.terminate();
    workers = [];
    for (const stop of stops.splice(0)) stop();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(faults).toEqual([]);
  });
  return async (address, { isOtherBrowser = false, examples: late = null } = {}) => {
    if (!backend) throw new Error('The studio is not open.');
    if (unmount) await leave(unmount);
    if (isOtherBrowser) emptyBrowser();
    examples = late;
    // The page before would save what it holds once more at each later reload, into what is another page's by then.
    for (const stop of stops.splice(0)) stop();
    history.replaceState(null, '', address);
    const { mountPage } = await runPartPage(page);
    unmount = mountPage(document.body.appendChild(document.createElement('div')));
    const part = new Part(backend.remote, sent, saved);
    await toReady(part).one();
    return part;
  };
}
