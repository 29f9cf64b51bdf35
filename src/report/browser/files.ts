/** Saves a text as a file, without a request. */
export function save(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Copies a text, also outside a secure context. Resolves to false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

export function fileName(...parts: readonly string[]): string {
  const safe = parts.join('-').replace(/[^\w.-]+/g, '-')
  return safe.replace(/^[-.]+|(?<!-)-+$/g, '').slice(0, 80) || 'report'
}
