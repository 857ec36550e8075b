const themes = ['auto', 'light', 'dark'];
/** @type {(() => void)[]} */
const listeners = [];
/** @type {HTMLElement | undefined} */
let probe;

/** A colour of the style sheet as the theme in force has it, for a canvas, which knows no variables. @param {string} name */
export function colour(name) {
  if (probe === undefined) {
    probe = document.createElement('span');
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** Calls back whenever colours may have changed: by the button, by the system, or for the printer. @param {() => void} callback */
export function onThemeChange(callback) {
  listeners.push(callback);
}

/** Makes the button go round the themes, and remembers the choice where the browser allows it. */
export function startTheme() {
  const button = document.getElementById('theme');
  const shown = button?.querySelector('span');
  if (!button || !shown) return;
  /** @param {string} theme */
  const apply = (theme) => {
    document.documentElement.dataset['theme'] = theme;
    shown.textContent = theme;
    for (const listener of listeners) listener();
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(shown.textContent ?? '') + 1) % themes.length] ?? 'auto';
    apply(next);
    remember(next);
  });
  const known = remembered();
  if (themes.includes(known)) apply(known);
  for (const query of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(query).addEventListener('change', () => listeners.forEach((listener) => listener()));
}

// Storage throws where a browser forbids it to pages from files.
function remembered() {
  try {
    return localStorage.getItem('mcp-bench-theme') ?? '';
  } catch {
    return '';
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem('mcp-bench-theme', theme);
  } catch {
    // for this time only, then
  }
}
