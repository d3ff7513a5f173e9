// A page and a service whose answers the test writes. The test brings the HTTP server. For tests only.
import { afterEach, beforeEach, vi } from 'vitest';
import { openTestServer, type Listening } from '#ui/client/server.fixture.ts';
import { DONE, encodeData } from '#core/stream/sseEncode.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';
import { setDraft, showModels, stopAll } from '#features/playground/web/desk/actions.ts';
import {
  lastAnswer,
  panePhase,
  toPane,
  type Answer,
  type Desk,
  type Pane,
} from '#features/playground/web/desk/desk.ts';
import { readDesk, useDesk } from '#features/playground/web/desk/deskStore.ts';

interface Incoming extends AsyncIterable<unknown> {
  readonly socket: { once: (event: 'close', listener: () => void) => unknown };
}

interface Outgoing {
  writeHead: (status: number, headers?: Record<string, string>) => Outgoing;
  write: (text: string, onWritten?: () => void) => boolean;
  end: (text?: string) => unknown;
  destroy: () => unknown;
}

export interface Call {
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [field: string]: unknown;
  };
  readonly response: Outgoing;
  /** Resolves once the browser's side has hung up. */
  readonly gone: Promise<void>;
}

type CreateServer = (onRequest: (request: Incoming, response: Outgoing) => void) => Listening;

/** Collects requests in the order of their arrival. */
class Service {
  calls: Call[] = [];
  /** Shuts the service down; set while it is open. */
  close: () => Promise<void> = async () => undefined;
  private onCall: () => void = () => undefined;

  /** Starts without requests. Returns the address. */
  async open(createServer: CreateServer): Promise<string> {
    const calls: Call[] = [];
    const { connection, close } = await openTestServer(
      createServer((request, response) => void this.take(calls, request, response)),
    );
    Object.assign(this, { calls, close });
    return connection.baseUrl;
  }

  /** Resolves with the nth request for a model as soon as it arrives. */
  async call(model: string, nth = 0): Promise<Call> {
    for (;;) {
      const found = this.calls.filter(({ body }) => body.model === model)[nth];
      if (found) return found;
      await new Promise<void>((resolve) => (this.onCall = resolve));
    }
  }

  private async take(calls: Call[], request: Incoming, response: Outgoing): Promise<void> {
    const gone = new Promise<void>((resolve) => void request.socket.once('close', () => resolve()));
    let text = '';
    for await (const chunk of request) text += String(chunk);
    calls.push({ body: JSON.parse(text) as Call['body'], response, gone });
    this.onCall();
  }
}

/** The parts of a page's address that the code uses, and the entries of its history. */
class Address {
  search = '';
  readonly pathname = '/';
  readonly hash = '';
  entries: string[] = [];
}

export interface Stage {
  readonly service: Service;
  readonly address: Address;
}

/** Stubs what a browser gives to a page. */
function stubPage(baseUrl: string, address: Address): void {
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(`${baseUrl}${path}`, init));
  vi.stubGlobal('document', { hidden: false });
  // Stays after the test: the code may request a frame shortly after an answer has ended.
  Object.assign(globalThis, { requestAnimationFrame: (callback: () => void) => setImmediate(callback) });
  const go =
    (kind: string) =>
    (_state: unknown, _title: string, to: string): void => {
      address.search = to.slice(1);
      address.entries.push(`${kind} ${to}`);
    };
  vi.stubGlobal('window', { location: address, history: { pushState: go('push'), replaceState: go('replace') } });
}

/** Gives every test of a file a service without requests, and a page with an empty desk and no messages. */
export function setStage(createServer: CreateServer): Stage {
  const stage = { service: new Service(), address: new Address() };
  beforeEach(async () => {
    Object.assign(stage.address, { search: '', entries: [] });
    stubPage(await stage.service.open(createServer), stage.address);
    useDesk.setState(useDesk.getInitialState());
    for (const toast of readToasts()) dismissToast(toast.id);
  });
  afterEach(async () => {
    stopAll();
    await stage.service.close();
    vi.unstubAllGlobals();
  });
  return stage;
}

/** A pane for each model, and a message that is not sent yet. */
export function prepare(models: readonly string[], draft = 'Hi'): void {
  showModels(models);
  setDraft(draft);
}

/** Presses the button of the newest toast with this text, such as Undo. */
export function press(text: string): void {
  const toast = readToasts().findLast((entry) => entry.text === text);
  if (!toast?.action) throw new Error(`Nothing to press: ${text}`);
  dismissToast(toast.id);
  toast.action.onSelect();
}

export const pane = (index: number, desk = readDesk()): Pane => desk.panes[index] ?? toPane('none', '');
export const answer = (index: number, desk = readDesk()): Answer | null => lastAnswer(pane(index, desk));
export const phases = (): readonly string[] => readDesk().panes.map(panePhase);

/** Resolves as soon as the desk meets the condition. */
export function until(isMet: (desk: Desk) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = useDesk.subscribe(({ desk }) => check(desk));
    const check = (desk: Desk): void => {
      if (!isMet(desk)) return;
      stop();
      resolve();
    };
    check(readDesk());
  });
}

/** A chunk of an answer. */
export const chunk = (delta: object, finish_reason: string | null = null): string =>
  encodeData(JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta, finish_reason }] }));
export const says = (content: string): string => chunk({ content });
export const FINISH = chunk({}, 'stop') + DONE;

/** Starts the response with these pieces. */
export function start(call: Call, ...pieces: readonly string[]): void {
  call.response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) call.response.write(piece);
}
