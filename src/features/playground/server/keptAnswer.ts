// A model whose whole text answers are handed to somebody who keeps them.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { LoadedModel } from '#engine/engine.ts';

/** `keep` is called once an answer has ended by itself, with its text. Calls of tools, and answers that were cut, are not kept. */
export function toKeptModel(
  model: LoadedModel,
  keep: (messages: readonly ChatMessage[], output: string) => void,
): LoadedModel {
  return {
    id: model.id,
    fingerprint: model.fingerprint,
    async *generate(request, signal, caller) {
      let text = '';
      for await (const event of model.generate(request, signal, caller)) {
        if (event.type === 'text-delta') text += event.text;
        const isWhole =
          event.type === 'message-end' && (event.finish_reason === 'stop' || event.finish_reason === null);
        if (isWhole && text !== '') keep(request.messages, text);
        yield event;
      }
    },
  };
}
