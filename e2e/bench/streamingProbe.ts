// What the streaming benchmark measures inside a page: long tasks, frames, and how far the view is behind the last
// byte. The same probe runs in every page that is compared.
import type { CDPSession, Page } from '@playwright/test';

export interface Probe {
  /** Durations of tasks over 50 ms, in milliseconds. */
  readonly longTasks: number[];
  /** Times between frames; from startFrames on. */
  readonly frames: number[];
  /** Counts the time between frames from now on. */
  startFrames(): void;
  /** When the view showed the end of the answer, by the page's clock; null until then. */
  endShownAt: number | null;
  /** Waits for the view to end in these letters; to be called before the stream is opened. */
  watchEnd(selector: string, letters: string): void;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Runs in the page before anything else. */
function installProbe(): void {
  const probe: Probe = { longTasks: [], frames: [], endShownAt: null, startFrames, watchEnd };
  window.probe = probe;
  new PerformanceObserver((list) => probe.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
  });

  function startFrames(): void {
    let before: number | null = null;
    const onFrame = (time: number): void => {
      if (before !== null) probe.frames.push(time - before);
      before = time;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  }

  // Looks at the view only once the end mark has been read: while the answer streams it costs nothing.
  let onLastByte = (): void => undefined;
  const read = ReadableStreamDefaultReader.prototype.read;
  const mark = new TextEncoder().encode('data: [DONE]');
  ReadableStreamDefaultReader.prototype.read = async function readAndLook(this: ReadableStreamDefaultReader) {
    const result = await (read.call(this) as Promise<ReadableStreamReadResult<Uint8Array>>);
    const end = result.value?.subarray(-mark.length - 2);
    if (end && end.length >= mark.length && mark.every((byte, index) => end[index] === byte)) onLastByte();
    return result;
  } as typeof read;

  /**
   * The last letters and digits of what stands in a node; looking at all of a long answer would be part of its delay.
   */
  function lastLetters(node: Node, count: number): string {
    if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/[^\p{L}\p{N}]+/gu, '').slice(-count);
    let letters = '';
    for (let child = node.lastChild; child && letters.length < count; child = child.previousSibling)
      letters = lastLetters(child, count - letters.length) + letters;
    return letters;
  }

  function watchEnd(selector: string, letters: string): void {
    probe.endShownAt = null;
    onLastByte = () => {
      const look = (): boolean => {
        const views = document.querySelectorAll(selector);
        const view = views[views.length - 1];
        return view !== undefined && lastLetters(view, letters.length) === letters;
      };
      const shown = (): void => {
        // The message comes after the frame has been painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => (probe.endShownAt = performance.now()), { once: true });
          port1.start();
          port2.postMessage(null);
        });
      };
      if (look()) return shown();
      const observer = new MutationObserver(() => {
        if (!look()) return;
        observer.disconnect();
        shown();
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    };
  }
}

export async function addProbe(page: Page): Promise<void> {
  // tsx names functions through this helper, which a page does not have.
  await page.context().addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await page.context().addInitScript(installProbe);
}

/** As far as the driver's inner side goes: it has no public switch for this. */
interface Driven {
  readonly _connection: {
    toImpl(page: Page): {
      readonly delegate: {
        readonly _mainFrameSession: { readonly _client: { send(method: 'Network.disable'): Promise<unknown> } };
      };
    };
  };
}

/**
 * From now on the driver records no answers. Else it puts each body together at its end on the page's thread, 12 ms for
 * 20,000 tokens that no reader's browser spends. Throws where the driver is built otherwise.
 */
export async function stopRecording(page: Page): Promise<void> {
  const { delegate } = (page as unknown as Driven)._connection.toImpl(page);
  await delegate._mainFrameSession._client.send('Network.disable');
}

/** Milliseconds from the arrival of the answer's last byte to the painted view; null when the view never got there. */
export async function readBehind(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const entry = performance
      .getEntriesByType('resource')
      .findLast(({ name }) => name.endsWith('/chat/completions')) as PerformanceResourceTiming | undefined;
    return entry && window.probe.endShownAt !== null ? window.probe.endShownAt - entry.responseEnd : null;
  });
}

export interface Meter {
  /**
   * Processor time of the main thread's tasks so far, in milliseconds: what else runs on the machine is no part of it.
   */
  readonly busy: () => Promise<number>;
  /** Heap in use after a collection, in megabytes, and DOM nodes. */
  readonly memory: () => Promise<{ readonly heapMb: number; readonly nodes: number }>;
}

export async function openMeter(page: Page): Promise<Meter> {
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (name: string): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === name)?.value ?? 0;
  };
  return {
    busy: async () => (await read('TaskDuration')) * 1000,
    memory: async () => {
      await client.send('HeapProfiler.collectGarbage');
      return { heapMb: (await read('JSHeapUsedSize')) / 1e6, nodes: await read('Nodes') };
    },
  };
}
