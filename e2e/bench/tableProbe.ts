// What the table benchmark does and measures inside a page. The same probe runs in both pages: they have rows with
// `data-place`, a filter field, and heads that say "Sort by ...".

export interface TableProbe {
  /** Until rows are there. */
  load(): Promise<void>;
  /** Milliseconds from the press on a head to the painted rows. */
  sort(head: string): Promise<number>;
  /** Milliseconds from a changed filter text to the painted rows. */
  filter(text: string): Promise<number>;
  /** Milliseconds of each frame while the rows are scrolled by 160 pixels a frame. */
  scroll(frames: number): Promise<number[]>;
}

declare global {
  interface Window {
    tableProbe: TableProbe;
  }
}

/** Runs in the page before anything else. */
export function installTableProbe(): void {
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  /** The message comes after the frame has been painted. */
  const painted = (): Promise<void> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve());
      port1.start();
      requestAnimationFrame(() => port2.postMessage(null));
    });
  const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-place]')];
  const look = (): string =>
    rows()
      .map((row) => row.textContent)
      .join('\n');

  async function act(run: () => void): Promise<number> {
    const before = look();
    await painted();
    const started = performance.now();
    run();
    while (look() === before) {
      if (performance.now() - started > 20_000) throw new Error('The action had no effect.');
      await frame();
    }
    await painted();
    return performance.now() - started;
  }

  window.tableProbe = {
    async load() {
      while (rows().length === 0) await frame();
      await painted();
    },
    sort: (head) =>
      act(() => {
        const button = document.querySelector<HTMLElement>(`button[title*="Sort by ${head};"]`);
        if (!button) throw new Error(`The page has no head ${head}`);
        button.click();
      }),
    filter: (text) =>
      act(() => {
        const field = document.querySelector<HTMLInputElement>('input[aria-label="Filter runs"]');
        if (!field) throw new Error('The page has no filter');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    async scroll(frames) {
      let box: HTMLElement | null = rows()[0] ?? null;
      while (box && (box.scrollHeight <= box.clientHeight + 1 || getComputedStyle(box).overflowY === 'visible'))
        box = box.parentElement;
      if (!box) throw new Error('The rows do not scroll.');
      box.scrollTop = 0;
      const taken: number[] = [];
      let last = await frame();
      for (let at = 0; at < frames; at += 1) {
        box.scrollTop += 160;
        const now = await frame();
        taken.push(now - last);
        last = now;
      }
      return taken;
    },
  };
}
