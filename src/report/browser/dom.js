// @ts-check

/**
 * An element with attributes and children. Texts become text nodes, so nothing in them is ever markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean | null>} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (typeof value === 'string') made.setAttribute(name, value)
  }
  made.append(...children.filter((child) => child !== null))
  return made
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T | null}
 */
export function find(id, kind) {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}

/**
 * Offers a text as a file. A blob, not a request.
 * @param {string} name
 * @param {string} text
 * @param {string} [type]
 */
export function save(name, text, type = 'text/csv') {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob)
  element('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/**
 * A name that is safe as a file's.
 * @param {string} text
 */
export function fileName(text) {
  return (
    text
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|-+$/g, '')
      .slice(0, 80) || 'report'
  )
}
