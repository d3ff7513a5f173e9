// Runs before the first paint, so that neither the theme nor the widths of the panels change after it. What is read here
// is stored by src/ui/kit/theme.ts and src/app/web/layout/layoutStore.ts.
const read = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const kept = read('studio.theme');
const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.classList.toggle('dark', dark);

// Only the frame in index.html takes these; without them it has the usual widths.
try {
  const { isOwn, mode, visible, sizes } = JSON.parse(read('studio.layout') ?? '{}');
  if (isOwn || mode === 'try') {
    const hidden = Object.keys(sizes).filter((name) => !visible.includes(name));
    const widest = ['workspace', 'playground', 'tree'].find((name) => visible.includes(name));
    for (const name of visible) {
      const extra = name === widest ? hidden.reduce((sum, other) => sum + sizes[other], 0) : 0;
      document.documentElement.style.setProperty(`--share-${name}`, String(sizes[name] + extra));
    }
    for (const name of hidden) document.documentElement.style.setProperty(`--share-${name}`, '0');
  }
} catch {
  // A damaged layout is the page's to mend.
}
