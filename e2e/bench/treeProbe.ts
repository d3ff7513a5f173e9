// What the tree benchmark does and measures inside a page. The same probe runs in every page that is compared: all of
// them have rows of role "treeitem", a filter field and a button "Expand all".

export interface Action {
  /** From the input to the frame that shows its effect, painted. */
  readonly ms: number;
  /** Longest task of the main thread over 50 ms; 0 when there was none. */
  readonly worstTask: number;
}

export interface Load extends Action {
  /** From the last byte of the answer to painted rows, in milliseconds. */
  readonly ms: number;
  /** From the request to painted rows: what reads while the answer arrives makes its last byte come later. */
  readonly sinceRequest: number;
  readonly longTasks: number;
}

export interface TreeProbe {
  load(): Promise<Load>;
  toggle(row: number): Promise<Action>;
  arrow(): Promise<Action>;
  filter(text: string): Promise<Action>;
  expandAll(): Promise<Action>;
  /** Asks for the tree again, and waits until the page has digested the same answer. */
  poll(): Promise<Action>;
  /** Frames that took longer than 33 ms while the rows are scrolled by 300 pixels a frame. */
  scroll(): Promise<number>;
}

declare global {
  interface Window {
    treeProbe: TreeProbe;
    /** Provided by each page. */
    pollTree: () => Promise<void>;
  }
}

/** Runs in the page before anything else. `path` is the path of the tree's answer. */
export function installTreeProbe(path: string): void {
  const tasks: number[] = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
  });
  performance.setResourceTimingBufferSize(1_000);

  const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  /** The message comes after the frame has been painted. */
  const painted = (): Promise<void> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve());
      port1.start();
      requestAnimationFrame(() => port2.postMessage(null));
    });
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  /** What can be seen of the rows: whatever an action does, it changes this. */
  const look = (): string =>
    rows()
      .map((row) => `${row.textContent} ${row.getAttribute('aria-expanded')}`)
      .join('\n');
  const find = <T extends HTMLElement>(selector: string): T => {
    const found = document.querySelector<T>(selector);
    if (!found) throw new Error(`The page has no ${selector}`);
    return found;
  };

  async function act(run: () => unknown, isDone: () => boolean): Promise<Action> {
    await painted();
    tasks.length = 0;
    const started = performance.now();
    await run();
    while (!isDone()) {
      if (performance.now() - started > 100_000) throw new Error('The action had no effect.');
      await frame();
    }
    await painted();
    const ms = performance.now() - started;
    // Long tasks are reported late, and what an action leaves for later counts too.
    await wait(400);
    return { ms, worstTask: Math.max(0, ...tasks) };
  }

  function actOnRows(run: () => unknown): Promise<Action> {
    const before = look();
    return act(run, () => rows().length > 0 && look() !== before);
  }

  window.treeProbe = {
    async load() {
      while (rows().length === 0) await frame();
      await painted();
      const shown = performance.now();
      await wait(400);
      const answer = performance.getEntriesByType('resource').find((entry) => entry.name.endsWith(path));
      if (!(answer instanceof PerformanceResourceTiming)) throw new Error('The page did not ask for the tree.');
      return {
        ms: shown - answer.responseEnd,
        sinceRequest: shown - answer.startTime,
        worstTask: Math.max(0, ...tasks),
        longTasks: tasks.length,
      };
    },
    toggle: (row) =>
      actOnRows(() => {
        const toggles = document.querySelectorAll<HTMLElement>('[role="treeitem"] [data-toggle]');
        toggles[row]?.click();
      }),
    arrow: async () => {
      if (document.activeElement?.getAttribute('role') !== 'treeitem') {
        (document.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]') ?? find('[role="tree"]')).focus();
        const press = (): unknown =>
          document.activeElement?.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
          );
        press();
        await painted();
      }
      const before = document.activeElement;
      return act(
        () =>
          before?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })),
        () => document.activeElement !== before && document.activeElement?.getAttribute('role') === 'treeitem',
      );
    },
    filter: (text) =>
      actOnRows(() => {
        const field = find<HTMLInputElement>('input[aria-label="Filter tree"]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    expandAll: () => actOnRows(() => find('button[aria-label="Expand all"]').click()),
    poll: () =>
      act(
        () => window.pollTree(),
        () => true,
      ),
    async scroll() {
      let box: HTMLElement | null = find('[role="treeitem"]');
      while (box && (box.scrollHeight <= box.clientHeight + 1 || getComputedStyle(box).overflowY === 'hidden'))
        box = box.parentElement;
      if (!box) throw new Error('The rows do not scroll.');
      let slow = 0;
      let last = performance.now();
      for (let step = 0; step < 150; step += 1) {
        box.scrollTop += step < 100 ? 300 : 20_000;
        await frame();
        const now = performance.now();
        if (now - last > 33) slow += 1;
        last = now;
      }
      return slow;
    },
  };
}
