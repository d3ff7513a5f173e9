// What the session and the examples of a model say, and the addresses of the API itself.
import type { Answer, Frozen } from './endpoint.ts';
import type { JsonObject } from './readJson.ts';
import type { STUDIO } from './studioEndpoints.ts';

export const API_PREFIX = '/api/v1';

/** The document of the API, and the page that shows it. */
export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;
export const REFERENCE_PATH = '/reference';

/** `GET /api/session`: facts about the studio that serves the dashboard. Never holds a secret. */
export type SessionInfo = Frozen<Answer<typeof STUDIO.getSession>>;

/** What is the same for whoever asks. */
export type StudioFacts = Omit<SessionInfo, 'who' | 'rights'>;

/** `response_format` of a request that holds answers to a JSON schema. */
export interface AnswerFormat {
  readonly type: 'json_schema';
  readonly json_schema: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean };
}

/** `GET /api/examples/{modelId}`: prompts of the kind that the model was trained for; null if there are none. */
export interface Examples {
  readonly model: string;
  /** One sentence on what the model can and can't do. */
  readonly about: string;
  readonly system_prompt: string;
  /** Function tools for the prompts; empty if the model was trained without tools. */
  readonly tools: readonly JsonObject[];
  /** The form of the answers in the training rows; null: they have no common JSON form. */
  readonly response_format: AnswerFormat | null;
  /** Whether training rows have one message of a user or several; null: unknown. */
  readonly turns: 'single' | 'multi' | null;
  /** Whether training rows go on after the result of a tool call; null: unknown, or no row calls a tool. */
  readonly continues_after_tool: boolean | null;
  /** User messages from rows that were held out of training. */
  readonly prompts: readonly string[];
}
