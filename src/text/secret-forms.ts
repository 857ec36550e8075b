/** The forms in which a text may come back: as it is, as a URL, a form, JSON or HTML would write it, or as it was before; and in base64. */
export function formsOf(text: string): Set<string> {
  const decoded = decode(text);
  const forms = new Set<string>();
  for (const plain of new Set([text, decoded])) {
    forms.add(plain);
    forms.add(encode(plain));
    forms.add(encode(plain).replaceAll('%20', '+'));
    forms.add(encodeURI(wellFormed(plain)));
    forms.add(JSON.stringify(plain).slice(1, -1));
    forms.add(plain.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`));
    forms.add(
      plain
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
    );
    forms.add(Buffer.from(plain).toString('base64'));
    forms.add(Buffer.from(plain).toString('base64url'));
  }
  // As printed: on one line.
  return new Set([...forms].flatMap((form) => [form, form.replace(/\s+/g, ' ').trim()]));
}

/** A part of a URL as it was before it was encoded, or as it is where it is not encoded. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function encode(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
