/** Why a template can't be read or rendered, in a sentence without its full stop. */
export class TemplateError extends Error {
  /** Line of the template, from 1; null: not known yet, or the template's own words (`raise_exception`). */
  line: number | null;

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `${message} (line ${line})`);
    this.line = line;
  }
}

/** The template's own refusal: `raise_exception`. Its message is the template's alone. */
export class RaisedByTemplate extends TemplateError {}

/** The template asks for more work or more text than it may. */
export class TooMuchWork extends TemplateError {}
