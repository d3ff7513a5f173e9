// Samples of the row formats, and a dataset's examples as rows.
import type { Examples } from '#core/contract/sessionInfo.ts';

export const ROW_SAMPLES = [
  { label: 'CSV', text: 'prompt,expected\nWhat is 17 + 25?,42\n"Write ""hello"" in capitals.",HELLO\n' },
  {
    label: 'JSONL with variables',
    text: '{"city": "Bern", "expected": "Switzerland"}\n{"city": "Lima", "expected": "Peru"}\n',
  },
  {
    label: 'JSONL of chats',
    text:
      '{"messages": [{"role": "system", "content": "Answer with one word."}, {"role": "user", "content": "The ' +
      'capital of France?"}, {"role": "assistant", "content": "Paris"}]}\n{"messages": [{"role": "user", ' +
      '"content": "2 + 2?"}], "expected": "4"}\n',
  },
  { label: 'lines', text: 'What is 17 + 25?\nWrite "hello" in capitals.\n' },
] as const;

/** A dataset's examples as JSONL chats, with their system prompt and tools. */
export function toExampleRows({ system_prompt, tools, prompts }: Examples): string {
  const system = system_prompt.trim() === '' ? [] : [{ role: 'system', content: system_prompt }];
  return prompts
    .map(
      (content) =>
        `${JSON.stringify({ messages: [...system, { role: 'user', content }], ...(tools.length > 0 && { tools }) })}\n`,
    )
    .join('');
}
