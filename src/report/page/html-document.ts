import { createHash } from 'node:crypto';
import { markup, scriptJson, trusted, type Markup } from './markup.js';
import { pageAssets } from './page-assets.js';
import type { PageData } from './page-data.js';

/**
 * A whole page in one file that asks the network for nothing: its policy allows the scripts and the style it was made
 * with, by their hashes, and no others.
 */
export function htmlDocument(title: string, body: Markup, data: PageData): string {
  const { style, script, plotScript, plotLicence } = pageAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(plotScript)} ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return markup`<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${trusted(icon)}">
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script type="application/json" id="data">${scriptJson(data)}</script>
<!-- uPlot is under this licence:
${trusted(plotLicence.replaceAll('--', '- -'))}
-->
<script>${trusted(plotScript)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`.text;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 14V9h3v5zm5 0V2h3v12zm5 0V6h3v8z' fill='%230a5fa5'/%3E%3C/svg%3E";

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
