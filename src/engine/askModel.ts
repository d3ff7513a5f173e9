// One whole answer of a model to work of the service itself, such as a correction.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { EngineError, type Engine } from './engine.ts';

/** The text without reasoning. Throws EngineError, also for a model that is not there and an answer that is cut or empty. */
export async function askModel(
  engine: Pick<Engine, 'load'>,
  request: ChatRequest,
  signal: AbortSignal,
  caller: string,
): Promise<string> {
  const { model: name } = request;
  const model = await engine.load(name, signal, caller);
  if (model === null) throw new EngineError(`There is no model "${name}" here.`, 404, 'model_not_found', 'model');
  let text = '';
  let isWhole = false;
  for await (const event of model.generate(request, signal, caller)) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type !== 'message-end') continue;
    if (event.finish_reason === 'length')
      throw new EngineError(`The answer of ${name} did not fit into its limit of tokens.`, 422, 'answer_cut');
    isWhole = true;
  }
  if (!isWhole) throw new EngineError(`The model ${name} stopped without finishing.`, 500, 'engine_stopped');
  if (text.trim() === '') throw new EngineError(`The model ${name} answered nothing.`, 422, 'answer_empty');
  return text.trim();
}
