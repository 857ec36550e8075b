export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

/** A strict reader of the XML that we write: elements, attributes, text and the five entities; everything else throws. */
export function parseXml(source: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(declaration)) throw new Error('no XML declaration');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(source))
    throw new Error('a forbidden character');
  if (/\p{Cs}/u.test(source)) throw new Error('half a surrogate pair');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let rest = source.slice(declaration.length);
  while (rest !== '') {
    const current = open.at(-1)!;
    const text = /^[^<]+/.exec(rest)?.[0];
    const end = /^<\/([\w-]+)>/.exec(rest);
    const start = /^<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/.exec(rest);
    if (text !== undefined) current.text += unescape(text);
    else if (end) {
      if (open.pop()!.name !== end[1]) throw new Error(`</${end[1]}> ends nothing`);
    } else if (start) {
      const element: XmlElement = {
        name: start[1]!,
        attributes: attributesOf(start[2]!),
        children: [],
        text: '',
      };
      current.children.push(element);
      if (start[3] === '') open.push(element);
    } else throw new Error(`not XML: ${rest.slice(0, 60)}`);
    rest = rest.slice((text ?? (end ?? start)![0]).length);
  }
  if (open.length !== 1 || root.children.length !== 1 || root.text.trim() !== '')
    throw new Error('not one element');
  return root.children[0]!;
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of source.matchAll(/ ([\w-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name!)) throw new Error(`attribute ${name} comes twice`);
    attributes[name!] = unescape(value!);
  }
  return attributes;
}

function unescape(text: string): string {
  const entities: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#13;': '\r',
  };
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`unknown entity ${entity}`);
    return character;
  });
}
