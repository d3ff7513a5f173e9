// Workers of the page, as threads of Node: the page's own code, which can be ended in the middle of its work.
import { basename, join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { findMade } from '#server/studio/made.fixture.ts';

const ROOT = join(import.meta.dirname, '..', '..');

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

/** The code of a worker as one file, made once for each state of the sources. */
async function buildWorker(path: string): Promise<string> {
  const name = basename(path, '.ts');
  const folder = await findMade(`${name}-part`, ['src/web', 'src/shared'], async (outDir) => {
    const { build } = await import('vite');
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      publicDir: false,
      ssr: { noExternal: true },
      build: { ssr: path, outDir, minify: false, rolldownOptions: { output: { entryFileNames: `${name}.mjs` } } },
    });
  });
  return join(folder, `${name}.mjs`);
}

export class PageWorker extends EventTarget {
  private readonly thread: Promise<Thread | null>;
  private isEnded = false;

  constructor(url: URL) {
    super();
    this.thread = buildWorker(join(ROOT, url.pathname)).then(
      (file) => this.start(file),
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
