// What a reader with a script has beyond the page: search, copying, a choice of theme, keys. It reads the page alone.
(() => {
  const MOST = 100;
  const root = document.documentElement;
  const form = document.getElementById('search');
  const query = document.getElementById('query');
  const found = document.getElementById('found');
  const hits = document.getElementById('hits');
  const more = document.getElementById('more');
  root.classList.add('scripted');

  // ---- theme
  const theme = document.getElementById('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const nameTheme = () => {
    theme.textContent = isDark() ? 'Light' : 'Dark';
    theme.setAttribute('aria-label', `Change to the ${isDark() ? 'light' : 'dark'} theme`);
  };
  theme.hidden = false;
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    nameTheme();
  });
  dark.addEventListener('change', nameTheme);
  nameTheme();
  document.querySelector('.keys').hidden = false;

  // ---- copying
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('.copy');
    if (button === null) return;
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });

  // ---- search
  let rows;
  let shown = MOST;
  const readRows = () => {
    // The heading of a group has the name that the site knows.
    const named = new Map();
    const groupOf = (element) => {
      const group = element.closest('.group');
      if (!named.has(group)) named.set(group, group?.querySelector('summary b')?.textContent ?? '');
      return named.get(group);
    };
    rows ??= [...document.querySelectorAll('main .rows > li')].map((element) => ({
      element,
      text: `${element.id || element.dataset.id || ''} ${groupOf(element)} ${element.textContent}`.toLowerCase(),
      state: element.className || 'pass',
      kind: element.parentElement.dataset.kind ?? '',
      area: element.closest('[data-area]')?.dataset.area ?? '',
    }));
    return rows;
  };
  // Before the first search where there is time.
  globalThis.requestIdleCallback?.(readRows);
  const wanted = () => new FormData(form);
  const isSearching = (data) => [...data.values()].some((value) => value !== '');
  const copyOf = ({ element }) => {
    const item = document.createElement('li');
    item.className = element.className;
    const name = element.id || element.dataset.id || '';
    const parts = [...element.cloneNode(true).childNodes];
    if (name === '') item.append(...parts);
    else {
      const link = document.createElement('a');
      link.href = `#${encodeURIComponent(name).replaceAll('%2F', '/')}`;
      link.append(...parts.flatMap((part) => (part.nodeName === 'A' ? [...part.childNodes] : [part])));
      // Under the heading of its operation an id stands without it; here it stands alone.
      const own = link.querySelector('b');
      if (own !== null && name.endsWith(`/${own.textContent}`)) own.textContent = name.slice(1);
      item.append(link);
    }
    return item;
  };
  const search = () => {
    const data = wanted();
    const isOn = isSearching(data);
    root.classList.toggle('searching', isOn);
    found.hidden = !isOn;
    if (!isOn) {
      hits.textContent = '';
      return;
    }
    const words = data.get('q').toLowerCase().split(/\s+/).filter(Boolean);
    const narrowed = ['state', 'kind', 'area']
      .map((name) => [name, data.get(name) ?? ''])
      .filter(([, value]) => value !== '');
    const fitting = readRows().filter(
      (row) =>
        narrowed.every(([name, value]) => row[name] === value) &&
        words.every((word) => row.text.includes(word)),
    );
    found.querySelector('ol').replaceChildren(...fitting.slice(0, shown).map(copyOf));
    more.hidden = fitting.length <= shown;
    hits.textContent = `${fitting.length} found${fitting.length > shown ? `, ${shown} shown` : ''}`;
  };
  // The search stands in the address, so that a link leads to it.
  const keep = () => {
    const state = new URLSearchParams([...wanted()].filter(([, value]) => value !== '')).toString();
    history.replaceState(null, '', state === '' ? location.pathname + location.search : `#${state}`);
  };
  let pending;
  const settle = () => {
    clearTimeout(pending);
    pending = undefined;
    search();
    keep();
  };
  const changed = () => {
    shown = MOST;
    clearTimeout(pending);
    // What is typed shows at once; what is found follows.
    pending = setTimeout(settle, 60);
  };
  // Emptied for a place that a link names: the address must keep that place.
  let isOurs = false;
  const empty = () => {
    isOurs = true;
    form.reset();
    isOurs = false;
    clearTimeout(pending);
    pending = undefined;
  };
  const clear = () => {
    empty();
    search();
  };
  if (form !== null) {
    form.hidden = false;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', changed);
    form.addEventListener('reset', () => {
      if (!isOurs) setTimeout(changed);
    });
    more.addEventListener('click', () => {
      shown += MOST;
      search();
    });
  }

  // ---- places
  const go = () => {
    const fragment = location.hash.slice(1);
    if (form !== null && fragment.includes('=') && !fragment.startsWith('/')) {
      empty();
      for (const [name, value] of new URLSearchParams(fragment)) {
        if (form.elements.namedItem(name) instanceof HTMLElement) form.elements.namedItem(name).value = value;
      }
      search();
      return;
    }
    if (fragment === '') return;
    if (form !== null) clear();
    let name = fragment;
    try {
      name = decodeURIComponent(fragment);
    } catch {
      // It is taken as it stands.
    }
    const place = document.getElementById(name);
    if (place === null) return;
    for (let at = place.closest('details'); at !== null; at = at.parentElement.closest('details'))
      at.open = true;
    place.scrollIntoView({ block: place.matches('.card, section, h3') ? 'start' : 'center' });
  };
  addEventListener('hashchange', go);
  // A link to where the reader is already leads there again.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link !== null && link.hash === location.hash) go();
  });
  go();

  // ---- keys
  const isTyping = (element) => element.matches('input, select, textarea');
  const cards = [...document.querySelectorAll('main .card h3 a')];
  // A page without cards is gone through by its lists.
  const listed = cards.length > 0 ? cards : [...document.querySelectorAll('main li a')];
  const isShown = (link) => link.checkVisibility();
  const isSearch = () => root.classList.contains('searching');
  const stops = () => (isSearch() ? [...document.querySelectorAll('#found ol a')] : listed.filter(isShown));
  const step = (by) => {
    const all = stops();
    if (all.length === 0) return;
    const at = all.indexOf(document.activeElement);
    const next =
      all[at === -1 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  };
  /** What a key does outside of a field; undefined for nothing. */
  const actionOf = (key) => {
    if (key === '/' && form !== null) return () => query.focus();
    if (key === 'j' || (key === 'ArrowDown' && isSearch())) return () => step(1);
    if (key === 'k' || (key === 'ArrowUp' && isSearch())) return () => step(-1);
    return undefined;
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === 'Escape' && form !== null && isSearching(wanted())) {
      clear();
      keep();
      query.focus();
    } else if (key === 'ArrowDown' && event.target === query) {
      // A later search would replace the place that is focused now.
      if (pending !== undefined) settle();
      step(1);
    } else {
      const act = isTyping(event.target) ? undefined : actionOf(key);
      if (act === undefined) return;
      act();
    }
    event.preventDefault();
  });
})();
