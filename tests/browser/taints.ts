/** Markup, ends of elements, right-to-left text and overrides, emoji, a word without a break, formulas, lone surrogates. */
export const TAINTS = [
  (text: string) => `${text}</script><img src=x onerror="window.broken = 1"><svg onload="window.broken = 1">`,
  (text: string) => `=${text}"><style>*{display:none}</style><!-- '\`\${window.broken = 1}`,
  (text: string) =>
    `\u202e${text} مرحبا بالعالم \u{1f52c}\u{1f469}\u200d\u{1f52c} ${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}`,
  (text: string) =>
    `# ${text}\n\n![x](x:y) <javascript:window.broken=1> [a]: javascript:window.broken=1\n\n<iframe src="javascript:window.broken=1"></iframe>\n\n| ${text} |\n| - |\n| [x](javascript:window.broken=1) |`,
  (text: string) =>
    `${text} \ud83d [x](javascript:window.broken=1) {{constructor.constructor('return 1')()}} __proto__`,
]
