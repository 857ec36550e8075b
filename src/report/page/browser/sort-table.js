/** Lets a table be sorted by the buttons in its head: largest first, then smallest, then as it was. @param {HTMLTableElement} table */
export function sortTable(table) {
  const original = [...table.tBodies];
  const heads = [...table.querySelectorAll('thead th')];
  heads.forEach((head, column) => {
    head.querySelector('button')?.addEventListener('click', () => {
      const figures = head.classList.contains('figure');
      const [first, second] = figures ? ['descending', 'ascending'] : ['ascending', 'descending'];
      const now = head.getAttribute('aria-sort');
      const next = now === first ? second : now === second ? 'none' : first;
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', next ?? 'none');
      const sign = next === 'descending' ? -1 : 1;
      const sorted = next === 'none' ? original : original.toSorted((a, b) => sign * compare(a, b, column));
      table.append(...sorted);
    });
  });
}

/** @param {HTMLTableSectionElement} a @param {HTMLTableSectionElement} b @param {number} column */
function compare(a, b, column) {
  const [left, right] = [a.rows[0]?.cells[column], b.rows[0]?.cells[column]];
  const [leftBy, rightBy] = [left?.dataset['by'], right?.dataset['by']];
  if (leftBy !== undefined && rightBy !== undefined) return Number(leftBy) - Number(rightBy);
  return (left?.textContent ?? '').localeCompare(right?.textContent ?? '', undefined, { numeric: true });
}
