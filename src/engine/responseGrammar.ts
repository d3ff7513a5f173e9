// Which grammar an answer must follow: response_format and tool_choice (SPEC 4.3) as one GBNF text.
// What can't be enforced is an EngineError 400 that names the field, never an unconstrained answer.
import type { ChatRequest } from '../contract/chatRequest';
import type { ResponseFormat, Tool } from '../contract/chatMessage';
import { toParam } from '../contract/issues';
import { isObject } from '../contract/reading';
import { EngineError } from './engine';
import { quote, Rules } from './gbnf';
import { openJsonRules, type JsonRules } from './jsonRules';
import { writeSchema } from './schemaGrammar';
import { SchemaProblem, type SchemaDocument, type SchemaNode } from './schemaNode';
import { parseSchema } from './schemaSupport';
import { activeTools } from './toolChoice';
import { toPlainTextRule } from './plainText';

/** More calls than this in one answer are not asked for; a model that can't stop would fill its context. */
const MAX_CALLS = 8;

/** Whether every value of a node is an object. A reference that leads back to itself adds no other value. */
function isObjectNode(node: SchemaNode, definitions: SchemaDocument['definitions'], seen: ReadonlySet<string> = new Set()): boolean {
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
      return seen.has(node.name) || (target !== undefined && isObjectNode(target, definitions, new Set([...seen, node.name])));
    }
    default:
      return false;
  }
}

/** A call's arguments are an object whatever else its schema says; nothing else could be told as a call. */
function writeArguments(document: SchemaDocument, rules: Rules, json: JsonRules): string {
  if (document.root.kind === 'any') return json.object();
  if (isObjectNode(document.root, document.definitions)) return writeSchema(document, rules, json);
  throw new SchemaProblem([], 'The arguments of a tool are always an object. Describe one with "type": "object".');
}

function toSchemaRule(schema: unknown, at: readonly (string | number)[], rules: Rules, json: JsonRules, write = writeSchema): string {
  try {
    return write(parseSchema(schema), rules, json);
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    throw new EngineError(error.message, 400, 'unsupported_schema', toParam([...at, ...error.path]));
  }
}

function toFormatRule(format: ResponseFormat | undefined, rules: Rules, json: JsonRules): string | null {
  if (format === undefined || format.type === 'text') return null;
  if (format.type === 'json_object') return json.object();
  if ('json_schema' in format) return toSchemaRule(format.json_schema.schema, ['response_format', 'json_schema', 'schema'], rules, json);
  return toSchemaRule(format.schema, ['response_format', 'schema'], rules, json);
}

interface NumberedTool {
  readonly tool: Tool;
  /** Its place in the request, for errors. */
  readonly index: number;
}

/** A call of one of the tools, as the models write it; arguments satisfy the parameters where `isEnforced` says so. */
function toCallRule(tools: readonly NumberedTool[], isEnforced: (tool: Tool) => boolean, rules: Rules, json: JsonRules): string {
  const { space, comma, colon } = json;
  const calls = tools.map(({ tool, index }) => {
    const { name, parameters } = tool.function;
    const schema = parameters ?? { type: 'object', properties: {}, additionalProperties: false };
    const args = isEnforced(tool) ? toSchemaRule(schema, ['tools', index, 'function', 'parameters'], rules, json, writeArguments) : json.object();
    const named = `${quote('"name"')} ${colon} ${quote(JSON.stringify(name))}`;
    return rules.add('call', `"<tool_call>" ${space} "{" ${space} ${named} ${comma} ${quote('"arguments"')} ${colon} ${args} ${space} "}" ${space} "</tool_call>"`);
  });
  return rules.add('calls', calls.join(' | '));
}

/** The grammar for a request, null when the answer is free text. Throws EngineError 400. */
export function toResponseGrammar(request: ChatRequest): string | null {
  const { tools, mode } = activeTools(request);
  const rules = new Rules();
  const json = openJsonRules(rules);
  const numbered = tools.map((tool) => ({ tool, index: (request.tools ?? []).indexOf(tool) }));
  const isEnforced = (tool: Tool): boolean => mode !== 'free' || tool.function.strict === true;
  try {
    const format = toFormatRule(request.response_format, rules, json);
    if (mode === 'one') return rules.toText(toCallRule(numbered, isEnforced, rules, json));
    if (mode === 'some') return rules.toText(rules.list(toCallRule(numbered, isEnforced, rules, json), '"\\n"?', 1, MAX_CALLS));
    if (tools.length === 0) return format === null ? null : rules.toText(format);
    const isStrict = tools.some((tool) => tool.function.strict === true);
    if (format === null && !isStrict) return null;
    // The model decides: either the format or calls; free text ends where a call begins.
    const calls = rules.list(toCallRule(numbered, isEnforced, rules, json), '"\\n"?', 1, MAX_CALLS);
    if (format !== null) return rules.toText(`${format} | ${calls}`);
    return rules.toText(`${toPlainTextRule('<tool_call>', rules)} (${calls})?`);
  } catch (error) {
    if (error instanceof SchemaProblem) throw new EngineError(error.message, 400, 'unsupported_schema', request.response_format ? 'response_format' : 'tools');
    throw error;
  }
}
