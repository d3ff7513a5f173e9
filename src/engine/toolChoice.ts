// Which tools a request lets the model call (SPEC 4.3 `tools`, `tool_choice`). Pure.
import type { Tool } from '#core/contract/chatMessage.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';

export interface ActiveTools {
  /** Empty if no tool may be called. */
  readonly tools: readonly Tool[];
  /** `free`: the model decides. `some`: at least one call. `one`: exactly one call of the one tool. */
  readonly mode: 'free' | 'some' | 'one';
}

export function activeTools(request: Pick<ChatRequest, 'tools' | 'tool_choice'>): ActiveTools {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'none' || tools.length === 0) return { tools: [], mode: 'free' };
  if (choice === 'auto') return { tools, mode: 'free' };
  if (choice === 'required') return { tools, mode: 'some' };
  return { tools: tools.filter((tool) => tool.function.name === choice.function.name).slice(0, 1), mode: 'one' };
}
