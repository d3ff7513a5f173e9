// A page and a service whose answers are written by hand, over whatever HTTP server a test brings. For tests only.
import { lastAnswer, panePhase, toPane, type Answer, type Desk, type Pane } from './desk';
import { readDesk, useDesk } from './deskStore';

interface Incoming extends AsyncIterable<unknown> {
  readonly socket: { once: (event: 'close', listener: () => void) => unknown };
}

interface Outgoing {
  writeHead: (status: number, headers?: Record<string, string>) => Outgoing;
  write: (text: string, onWritten?: () => void) => boolean;
  end: (text?: string) => unknown;
  destroy: () => unknown;
}

interface Listening {
  listen: (port: number, host: string, onListening: () => void) => unknown;
  address: () => unknown;
  closeAllConnections: () => void;
  close: (onClosed: () => void) => unknown;
}

export interface Call {
  readonly body: { readonly model: string; readonly messages: readonly { readonly role: string; readonly content: string }[]; readonly [field: string]: unknown };
  readonly response: Outgoing;
  /** Resolves once the browser's side has hung up. */
  readonly gone: Promise<void>;
}

/** Requests are taken in the order in which they come. */
class Service {
  readonly calls: Call[] = [];
  baseUrl = '';
  private readonly server: Listening;
  private onCall: () => void = () => undefined;

  constructor(createServer: (onRequest: (request: Incoming, response: Outgoing) => void) => Listening) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** The request for a model, once it is there. */
  async call(model: string, nth = 0): Promise<Call> {
    for (;;) {
      const found = this.calls.filter(({ body }) => body.model === model)[nth];
      if (found) return found;
      await new Promise<void>((resolve) => (this.onCall = resolve));
    }
  }

  private async take(request: Incoming, response: Outgoing): Promise<void> {
    const gone = new Promise<void>((resolve) => void request.socket.once('close', () => resolve()));
    let text = '';
    for await (const chunk of request) text += String(chunk);
    this.calls.push({ body: JSON.parse(text) as Call['body'], response, gone });
    this.onCall();
  }
}

/** As far as a page's address goes. */
class Address {
  search = '';
  readonly pathname = '/';
  readonly hash = '';
  readonly entries: string[] = [];
}

export interface Stage {
  readonly service: Service;
  readonly address: Address;
}

/** Opens the service and gives the page what a browser would give it. */
export async function openStage(createServer: ConstructorParameters<typeof Service>[0], stub: (name: string, value: unknown) => void): Promise<Stage> {
  const service = new Service(createServer);
  const address = new Address();
  await service.open();
  const send = globalThis.fetch;
  stub('fetch', (path: string, init: RequestInit) => send(`${service.baseUrl}${path}`, init));
  stub('document', { hidden: false });
  // Stays after the test: a frame may be asked for a moment after an answer has settled.
  Object.assign(globalThis, { requestAnimationFrame: (callback: () => void) => setImmediate(callback) });
  const go = (kind: string) => (_state: unknown, _title: string, to: string): void => {
    address.search = to.slice(1);
    address.entries.push(`${kind} ${to}`);
  };
  stub('window', { location: address, history: { pushState: go('push'), replaceState: go('replace') } });
  return { service, address };
}

export const pane = (index: number, desk = readDesk()): Pane => desk.panes[index] ?? toPane('none', '');
export const answer = (index: number, desk = readDesk()): Answer | null => lastAnswer(pane(index, desk));
export const phases = (): readonly string[] => readDesk().panes.map(panePhase);

/** Resolves as soon as the desk is as described. */
export function until(isSo: (desk: Desk) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = useDesk.subscribe(({ desk }) => check(desk));
    const check = (desk: Desk): void => {
      if (!isSo(desk)) return;
      stop();
      resolve();
    };
    check(readDesk());
  });
}

/** Begins an answer on the wire. */
export function start(call: Call, ...pieces: readonly string[]): void {
  call.response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) call.response.write(piece);
}
