// The grammar that an answer must follow: response_format and tool_choice (SPEC 4.3) as one GBNF text.
// If something can't be enforced, an EngineError 400 names the field; the answer is never unconstrained.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { ResponseFormat, Tool } from '#core/contract/chatMessage.ts';
import { toParam } from '#core/contract/issues.ts';
import { isObject } from '#core/contract/readJson.ts';
import { EngineError } from './engine.ts';
import { quote, Rules } from '#engine/grammar/gbnf.ts';
import { openJsonRules, type JsonRules } from '#engine/grammar/jsonRules.ts';
import { writeSchema } from '#engine/grammar/schemaGrammar.ts';
import { SchemaProblem, type SchemaDocument, type SchemaNode } from '#core/schema/schemaNode.ts';
import { parseSchema } from '#core/schema/schemaSupport.ts';
import { activeTools } from './toolChoice.ts';
import { toPlainTextRule } from './plainText.ts';
import { WorkBudget } from '#core/schema/workBudget.ts';

export type GrammarRequest = Pick<ChatRequest, 'tools' | 'tool_choice' | 'response_format'>;

/** Most calls in one answer. Without a limit, a model that can't stop would fill its context. */
const MAX_CALLS = 8;

/** Whether every value of a node is an object. A reference to itself adds no other value. */
function isObjectNode(node: SchemaNode, definitions: SchemaDocument['definitions'], seen = new Set<string>()): boolean {
  switch (node.kind) {
    case 'object':
    case 'map':
      return true;
    case 'literal':
      return node.values.every(isObject);
    case 'union':
      return node.options.every((option) => isObjectNode(option, definitions, seen));
    case 'ref': {
      const target = definitions.get(node.name);
      if (seen.has(node.name)) return true;
      seen.add(node.name);
      return target !== undefined && isObjectNode(target, definitions, seen);
    }
    default:
      return false;
  }
}

/** A call's arguments are always an object, because the parser of calls accepts nothing else. */
function writeArguments(document: SchemaDocument, rules: Rules, json: JsonRules): string {
  if (document.root.kind === 'any') return json.object();
  if (isObjectNode(document.root, document.definitions)) return writeSchema(document, rules, json);
  throw new SchemaProblem([], 'The arguments of a tool are always an object. Describe one with "type": "object".');
}

interface Target {
  readonly rules: Rules;
  readonly json: JsonRules;
  readonly onPart: (param: string) => void;
}

function toSchemaRule(
  schema: unknown,
  at: readonly (string | number)[],
  { rules, json, onPart }: Target,
  write = writeSchema,
): string {
  onPart(toParam(at) ?? '');
  try {
    return write(parseSchema(schema, rules.budget), rules, json);
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    throw new EngineError(error.message, 400, 'unsupported_schema', toParam([...at, ...error.path]));
  }
}

function toFormatRule(format: ResponseFormat | undefined, target: Target): string | null {
  if (format === undefined || format.type === 'text') return null;
  if (format.type === 'json_object') return target.json.object();
  if ('json_schema' in format)
    return toSchemaRule(format.json_schema.schema, ['response_format', 'json_schema', 'schema'], target);
  return toSchemaRule(format.schema, ['response_format', 'schema'], target);
}

interface NumberedTool {
  readonly tool: Tool;
  /** Its index in the request, for errors. */
  readonly index: number;
}

/** A call of one of the tools, as models write it. If `isEnforced`, the arguments satisfy the parameters. */
function toCallRule(tools: readonly NumberedTool[], isEnforced: (tool: Tool) => boolean, target: Target): string {
  const { rules, json } = target;
  const { space, comma, colon } = json;
  const bodies = new Map<string, string>();
  for (const { tool, index } of tools) {
    const { name, parameters } = tool.function;
    const schema = parameters ?? { type: 'object', properties: {}, additionalProperties: false };
    const args = isEnforced(tool)
      ? toSchemaRule(schema, ['tools', index, 'function', 'parameters'], target, writeArguments)
      : json.object();
    // With two tools of one name, llama.cpp would follow both through their arguments.
    if ((bodies.get(name) ?? args) !== args) {
      throw new EngineError(
        `Two tools are called "${name}" and have different parameters. Give each tool a name of its own.`,
        400,
        'unsupported_schema',
        `tools[${index}].function.name`,
      );
    }
    bodies.set(name, args);
  }
  // The part that all calls share comes before the alternatives.
  const calls = [...bodies].map(([name, args]) =>
    rules.add('call', `${quote(JSON.stringify(name).slice(1))} ${comma} ${quote('"arguments"')} ${colon} ${args}`),
  );
  return rules.add(
    'calls',
    `"<tool_call>" ${space} "{" ${space} ${quote('"name"')} ${colon} ${quote('"')} (${calls.join(' | ')}) ` +
      `${space} "}" ${space} "</tool_call>"`,
  );
}

/**
 * The grammar for a request; null if the answer is free text. Calls `onPart` with each field before it is compiled.
 * Throws EngineError 400.
 */
export function toResponseGrammar(
  request: GrammarRequest,
  onPart: (param: string) => void = () => undefined,
  budget = new WorkBudget(),
): string | null {
  const { tools, mode } = activeTools(request);
  const rules = new Rules(budget);
  const json = openJsonRules(rules);
  const target: Target = { rules, json, onPart };
  const numbered = tools.map((tool) => ({ tool, index: (request.tools ?? []).indexOf(tool) }));
  const isEnforced = (tool: Tool): boolean => mode !== 'free' || tool.function.strict === true;
  try {
    const format = toFormatRule(request.response_format, target);
    if (mode === 'one') return rules.toText(toCallRule(numbered, isEnforced, target));
    if (mode === 'some')
      return rules.toText(rules.list(toCallRule(numbered, isEnforced, target), '"\\n"?', 1, MAX_CALLS));
    if (tools.length === 0) return format === null ? null : rules.toText(format);
    const isStrict = tools.some((tool) => tool.function.strict === true);
    if (format === null && !isStrict) return null;
    // The model decides: the format or calls. Free text ends where a call begins.
    const calls = rules.list(toCallRule(numbered, isEnforced, target), '"\\n"?', 1, MAX_CALLS);
    if (format !== null) return rules.toText(`${format} | ${calls}`);
    return rules.toText(`${toPlainTextRule('<tool_call>', rules)} (${calls})?`);
  } catch (error) {
    if (error instanceof SchemaProblem)
      throw new EngineError(
        error.message,
        400,
        'unsupported_schema',
        request.response_format ? 'response_format' : 'tools',
      );
    throw error;
  }
}
