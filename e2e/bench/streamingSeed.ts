// Puts a long conversation into the browser's storage as an earlier version of the product stored it, so that opening
// it also reads the old form. It knows that form only.
import type { Page } from '@playwright/test';

/** Replaces what this tab has stored by one pane with `count` turns; to be seen after a reload. */
export async function storeConversation(page: Page, model: string, count: number): Promise<void> {
  await page.evaluate(
    async ([name, turnCount]) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('studio.playground');
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
      const desk = sessionStorage.getItem('studio.desk') ?? '';
      const toAnswer = (index: number): string =>
        `### Answer ${index}\n\nThe **loss** fell from \`2.1\` to \`0.7\` after three epochs, on rows that were ` +
        'held out.\n\n- rate: 0.0001\n- batch: 8\n- rank: 16\n\n| step | loss |\n| --- | ---: |\n| 10 | 2.1 |\n| ' +
        `20 | 0.7 |\n\n\`\`\`python\nfor epoch in range(3):\n    train(epoch)\n\`\`\`\n\nEnd of answer ${index}`;
      const message = {
        id: null,
        model: null,
        fingerprint: null,
        created: null,
        reasoning: '',
        toolCalls: [],
        usage: null,
        tokensPerSecond: null,
        finish_reason: 'stop',
        state: 'complete',
        problem: null,
      };
      const turns = Array.from({ length: turnCount }, (_, index) =>
        index % 2 === 0
          ? { id: `turn-${index}`, role: 'user', content: `Question ${index / 2 + 1}: how does the loss behave?` }
          : {
              id: `turn-${index}`,
              role: 'assistant',
              model: name,
              phase: 'done',
              failure: null,
              sentAt: 1_790_000_000_000 + index,
              waitUntil: null,
              timing: { firstMs: 10, textMs: 10, endMs: 900 },
              message: { ...message, text: toAnswer((index + 1) / 2) },
            },
      );
      const stored = {
        version: 1,
        draft: '',
        systemPrompt: '',
        parameters: {},
        parked: [],
        savedAt: Date.now(),
        panes: [{ id: 'pane-1', model: name, parameters: null, turnIds: turns.map((turn) => turn.id) }],
      };
      const transaction = database.transaction('records', 'readwrite');
      const store = transaction.objectStore('records');
      store.put(stored, [desk, 'desk', '']);
      for (const turn of turns) store.put(turn, [desk, 'turn', turn.id]);
      await new Promise((resolve, reject) => {
        transaction.addEventListener('complete', resolve);
        transaction.addEventListener('abort', () => reject(transaction.error));
      });
      database.close();
    },
    [model, count] as const,
  );
}
