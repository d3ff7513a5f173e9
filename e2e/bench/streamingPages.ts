// The two pages that the streaming benchmark looks at: ours, and the practical limit: plain lines appended once a frame.
import type { Page } from '@playwright/test';

export interface StreamRequest {
  readonly model: string;
  readonly message: string;
}

/** Writes the message as a paste would: typing or filling in 100,000 characters takes a browser seconds by itself. */
export async function prepareDashboard(page: Page, { message }: StreamRequest): Promise<void> {
  await page.getByRole('region', { name: 'Pane 1' }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).evaluate((field, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, message);
}

/** Sends the message and waits for the end of the answer, looking twice a second: waiting must not cost the page. */
export async function streamIntoDashboard(page: Page, { model }: StreamRequest): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const isSettled = (): boolean => [...document.querySelectorAll('section[aria-label="Pane 1"] button')].some((button) => button.textContent === 'Retry');
  await page.waitForFunction(isSettled, null, { polling: 500, timeout: 120_000 });
  const pane = page.getByRole('region', { name: 'Pane 1' });
  if ((await pane.getByText(/^(interrupted|stopped)|failed/).count()) > 0) throw new Error(`${model} did not answer to its end.`);
}

/** What the pane shows of the last answer, without the labels of code blocks. */
export async function readDashboard(page: Page): Promise<string> {
  return page.locator('.md').last().evaluate((root) => {
    const copy = root.cloneNode(true) as Element;
    for (const label of copy.querySelectorAll('.md-code-head')) label.remove();
    return copy.textContent ?? '';
  });
}

/** Streams the same answer as one `contain: content` element per line of plain text, appended once a frame. */
export async function streamIntoLines(page: Page, request: StreamRequest): Promise<void> {
  await page.evaluate(async ({ model, message }) => {
    const box = document.createElement('div');
    box.style.cssText = 'width:560px;height:560px;overflow:auto;font:13px/1.45 system-ui;white-space:pre-wrap;overflow-wrap:anywhere';
    document.body.replaceChildren(box);
    const response = await fetch('/api/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: message }], stream: true }),
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
        unshown += (JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '';
      }
      if (isWaiting) continue;
      isWaiting = true;
      requestAnimationFrame(show);
    }
    show();
  }, request);
}

export async function readLines(page: Page): Promise<string> {
  return page.evaluate(() => document.body.textContent ?? '');
}
