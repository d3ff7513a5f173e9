// Workers of the page, as threads of Node: the page's own code, which can be ended in the middle of its work.
import { basename, join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { findBuiltCode, ROOT } from './builtCode.ts';

// Node's own, whose events happy-dom's would not be.
const { Event: OwnEvent, MessageEvent: OwnMessageEvent } = globalThis;

/** What a thread lacks of a worker of a browser. Messages wait until its code listens. */
const START = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.self = Object.assign(new EventTarget(), { postMessage: (data) => parentPort.postMessage(data) });
  import(workerData).then(() =>
    parentPort.on('message', (data) => self.dispatchEvent(new MessageEvent('message', { data }))),
  );
`;

export class PageWorker extends EventTarget {
  private readonly thread: Promise<Thread | null>;
  private isEnded = false;

  constructor(url: URL) {
    super();
    const file = `${basename(url.pathname, '.ts')}.mjs`;
    this.thread = findBuiltCode(file, { entry: join(ROOT, url.pathname), output: {} }).then(
      (path) => this.start(path),
      (error: unknown) => this.fail(error),
    );
  }

  postMessage(data: unknown): void {
    void this.thread.then((thread) => thread?.postMessage(data, []));
  }

  terminate(): void {
    this.isEnded = true;
    void this.thread.then((thread) => thread?.terminate());
  }

  private start(file: string): Thread | null {
    if (this.isEnded) return null;
    const thread = new Thread(START, { eval: true, workerData: file });
    thread.on('message', (data) => this.isEnded || this.dispatchEvent(new OwnMessageEvent('message', { data })));
    thread.on('error', (error) => this.fail(error));
    return thread;
  }

  private fail(error: unknown): null {
    this.dispatchEvent(Object.assign(new OwnEvent('error'), { message: String(error) }));
    return null;
  }
}
