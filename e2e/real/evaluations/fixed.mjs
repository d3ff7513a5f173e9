/** Answers each question alike, and fails once. */
export default class {
  id() {
    return 'fixed';
  }

  async callApi(_prompt, { vars }) {
    if (vars.country === 'Chile') return { error: 'The server is busy' };
    return { output: 'Paris', tokenUsage: { total: 12, prompt: 10, completion: 2 } };
  }
}
