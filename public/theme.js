// Runs before the first paint so that a chosen theme never flashes. The choice is kept by src/session/theme.ts.
const kept = (() => {
  try {
    return localStorage.getItem('studio.theme');
  } catch {
    return null;
  }
})();
const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.classList.toggle('dark', dark);
