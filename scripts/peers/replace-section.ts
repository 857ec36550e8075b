/** Puts text between `<!-- name -->` and `<!-- /name -->` of a page; throws where the page has no such section. */
export function replaceSection(page: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(open);
  const to = page.indexOf(close);
  if (from < 0 || to < from) throw new Error(`the page has no section ${name}`);
  return `${page.slice(0, from + open.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}
