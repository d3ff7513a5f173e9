// The two pages that the streaming benchmark looks at: ours, and the practical limit: plain lines appended once a
// frame. Both are driven from inside, so that driving them is no part of what is measured.
import type { Page } from '@playwright/test';

export interface StreamTarget {
  readonly name: string;
  readonly path: (model: string) => string;
  /** Where the answer is shown. */
  readonly view: string;
  readonly prepare: (page: Page) => Promise<void>;
  /** Sends a short message and resolves when the answer has settled. */
  readonly stream: (page: Page, model: string) => Promise<void>;
  /** The whole answer as the page gives it to a reader. */
  readonly read: (page: Page) => Promise<string>;
}

/** `panes` of the same model side by side. */
export function toPath(model: string, panes = 1): string {
  return `/?models=${Array.from({ length: panes }, () => encodeURIComponent(model)).join(',')}`;
}

/** So long nothing of a page has changed that is at rest, in milliseconds. */
const STILL_MS = 750;

/** Waits until the page is at rest, whatever it shows: a part that it is known to show last may be gone tomorrow. */
async function waitForRest(page: Page): Promise<void> {
  await page.evaluate(
    (stillMs) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          observer.disconnect();
          requestIdleCallback(() => resolve());
        };
        let timer = setTimeout(end, stillMs);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(end, stillMs);
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    STILL_MS,
  );
}

/** Writes the message as a paste would. */
export async function writeMessage(page: Page, panes = 1): Promise<void> {
  await page.getByRole('region', { name: `Pane ${panes}` }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Write a long report.');
  // The first view goes on for a moment after it is there, which is no part of an answer's cost.
  await waitForRest(page);
}

/** Sends the message and waits until `panes` answers are there and none is growing. */
export async function runInDashboard(page: Page, panes = 1): Promise<void> {
  await page.evaluate(async (wanted) => {
    document
      .querySelector('textarea[id][placeholder^="Message"]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    const isSettled = (): boolean =>
      document.querySelectorAll('.md').length >= wanted && document.querySelector('.md[data-live]') === null;
    while (!isSettled()) await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, panes);
}

/** The last answer by its copy button: what a reader takes away, however much of it is on the screen. */
async function copyAnswer(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy answer' }).last().click();
  await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Streams the answer as one `contain: content` element per line of plain text, appended once a frame. */
async function streamIntoLines(page: Page, model: string): Promise<void> {
  await page.evaluate(async (name) => {
    const box = document.createElement('div');
    box.className = 'lines';
    box.style.cssText =
      'width:560px;height:560px;overflow:auto;font:13px/1.45 system-ui;white-space:pre-wrap;overflow-wrap:anywhere';
    document.body.replaceChildren(box);
    const response = await fetch('/api/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: name,
        messages: [{ role: 'user', content: 'Write a long report.' }],
        stream: true,
      }),
    });
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let events = '';
    let unshown = '';
    let isWaiting = false;
    let line = box.appendChild(document.createElement('div'));
    const show = (): void => {
      isWaiting = false;
      const [first = '', ...rest] = unshown.split('\n');
      unshown = '';
      line.textContent += first;
      for (const text of rest) {
        line = document.createElement('div');
        line.style.contain = 'content';
        line.textContent = text;
        box.append(line);
      }
      box.scrollTop = box.scrollHeight;
    };
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      events += decoder.decode(read.value, { stream: true });
      const whole = events.split('\n\n');
      events = whole.pop() ?? '';
      for (const event of whole) {
        if (!event.startsWith('data: {')) continue;
        unshown +=
          (JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ??
          '';
      }
      if (isWaiting) continue;
      isWaiting = true;
      requestAnimationFrame(show);
    }
    show();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, model);
}

export const LINES: StreamTarget = {
  name: 'lines',
  path: () => '/healthz',
  view: '.lines',
  prepare: async () => undefined,
  stream: streamIntoLines,
  read: (page) =>
    page.evaluate(() => [...document.querySelectorAll('.lines > div')].map((line) => line.textContent).join('\n')),
};

export const OURS: StreamTarget = {
  name: 'ours',
  path: (model) => toPath(model),
  view: '.md',
  prepare: (page) => writeMessage(page),
  stream: (page) => runInDashboard(page),
  read: copyAnswer,
};
