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
const setFrame = (name, value) => document.documentElement.style.setProperty(`--${name}`, String(value));
const RAIL = '2.25rem';
try {
  const layout = JSON.parse(read('studio.layout') ?? '{}');
  const tab = new URLSearchParams(location.search).get('tab');
  const isLink = tab !== null && performance.getEntriesByType('navigation')[0]?.type === 'navigate';
  const isOther = isLink && layout.mode === 'try' && !layout.visible.includes('workspace');
  const { isOwn, visible: kept, sizes } = isOther ? layout.other : layout;
  const { isBesideTables } = layout;
  const mode = isOther ? 'decide' : layout.mode;
  const isTable = ['experiments', 'curves', 'compare'].includes(tab);
  const isFolded = isTable && !isBesideTables && mode !== 'try' && (!isOwn || kept.includes('workspace'));
  if (isOwn || mode === 'try') {
    const visible = kept.filter((name) => !isFolded || name !== 'playground');
    const hidden = Object.keys(sizes).filter((name) => !visible.includes(name));
    const widest = ['workspace', 'playground', 'tree'].find((name) => visible.includes(name));
    for (const name of visible) {
      const extra = name === widest ? hidden.reduce((sum, other) => sum + sizes[other], 0) : 0;
      setFrame(`share-${name}`, sizes[name] + extra);
    }
    for (const name of hidden) setFrame(`share-${name}`, 0);
    setFrame('rail', visible.length > 1 && !visible.includes('playground') ? RAIL : '0px');
  } else if (isFolded && innerWidth >= 1280) {
    setFrame('share-workspace', 80);
    setFrame('share-playground', 0);
    setFrame('rail', RAIL);
  }
} catch {
  // A damaged layout is the page's to mend.
}
