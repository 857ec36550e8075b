import { describe, expect, it } from 'vitest';
import { markup, scriptJson, trusted } from './markup.js';

describe('markup', () => {
  it('escapes what is put in, in text and in attributes', () => {
    const evil = `<img src=x onerror="alert(1)"> & 'x'`;
    expect(markup`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;x&#39;">&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it('takes markup, lists and numbers as they are, and nothing for null and false', () => {
    const items = ['a', '<'].map((item) => markup`<li>${item}</li>`);
    expect(markup`<ul>${items}</ul>${3}${null}${false}${trusted('<hr>')}`.text).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>3<hr>',
    );
  });

  it('shows controls and marks that turn text round as what they are: no text', () => {
    expect(markup`${'a\u0000b\u001bc\u202ed\u2066e\n\tf'}`.text).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\n\tf');
  });
});

describe('scriptJson', () => {
  it('cannot end its element, open a comment or break a line', () => {
    const value = { name: '</script><!--<script>&\u2028\u2029' };
    const { text } = scriptJson(value);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('shows nobody who reads the page as text what turns it round', () => {
    const value = { name: 'a\u202eb\u2066c\u009bd\u{e0041}' };
    const { text } = scriptJson(value);
    expect(text).toMatch(/^[ -~]*$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
