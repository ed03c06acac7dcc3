// SPDX-License-Identifier: GPL-3.0-or-later
// What a report's page does beside its maps: contents that follow, commands to copy, tables for paper.
'use strict';
(() => {
  const links = [...document.querySelectorAll('.contents a')];
  const targets = links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1))));

  // The section whose heading was passed last is the one that is read; at the end of the page it is the last.
  function follow() {
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    let current = 0;
    targets.forEach((target, i) => { if (target && target.getBoundingClientRect().top < window.innerHeight * 0.3) current = i; });
    if (atEnd && window.scrollY > 0) current = links.length - 1;
    links.forEach((link, i) => {
      if (i === current) {
        if (!link.hasAttribute('aria-current')) {
          link.setAttribute('aria-current', 'location');
          const list = link.closest('.contents');
          const box = link.getBoundingClientRect(), room = list.getBoundingClientRect();
          if (box.bottom > room.bottom) list.scrollTop += box.bottom - room.bottom + 20;
          if (box.top < room.top) list.scrollTop -= room.top - box.top + 20;
        }
      } else link.removeAttribute('aria-current');
    });
  }

  let asked = false;
  window.addEventListener('scroll', () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; follow(); });
  }, { passive: true });
  new ResizeObserver(follow).observe(document.body); // maps that open move what is below them

  // Pages that lie on disk may not reach the clipboard in every browser; a selection can always be copied.
  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(code);
      return document.execCommand('copy');
    }
  }

  for (const button of document.querySelectorAll('.command .copy')) {
    button.hidden = false;
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      button.textContent = await copy(button.parentElement.querySelector('code')) ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => { button.textContent = 'Copy'; }, 1600);
    });
  }

  // Folded tables are open on paper, and as they were again afterwards.
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('.folded:not([open])')];
    for (const table of opened) table.open = true;
  });
  window.addEventListener('afterprint', () => { for (const table of opened) table.open = false; });
})();
