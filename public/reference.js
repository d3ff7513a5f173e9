// Starts the API reference. Calls made from it carry the sign-in cookie; the document itself needs it, too.
const DOCUMENT = '/api/v1/openapi.json';
const place = document.getElementById('reference');

function say(text, linkText) {
  const line = document.createElement('p');
  line.className = 'notice';
  line.textContent = text;
  if (linkText) {
    const link = document.createElement('a');
    link.href = '/';
    link.textContent = linkText;
    line.append(' ', link);
  }
  place.replaceChildren(line);
}

async function start() {
  const answer = await fetch(DOCUMENT);
  if (answer.status === 401) return say('The reference is shown to people who are signed in.', 'Sign in');
  if (!answer.ok) return say(`The document could not be loaded (status ${answer.status}). Reload the page.`);
  const spec = await answer.json();
  document.documentElement.classList.toggle('dark-mode', document.documentElement.classList.contains('dark'));
  place.replaceChildren();
  return window.SwaggerUIBundle({
    spec,
    domNode: place,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    tryItOutEnabled: true,
    displayRequestDuration: true,
    syntaxHighlight: { activated: true, theme: 'agate' },
    // No validator: it would send the document to another origin.
    validatorUrl: null,
  });
}

start().catch(() => say('The studio did not answer. Check that it runs, then reload the page.'));
