const lost = document.getElementById('lost') as HTMLElement

/** Fetches JSON; null, with a message that begins with `consequence`, on failure. */
export async function fetchJson<T>(
  consequence: string,
  path: string,
  init: RequestInit = {},
): Promise<T | null> {
  const complain = (message: string) => {
    lost.textContent = `${consequence} ${message}`
    lost.hidden = false
    return null
  }
  try {
    const response = await fetch(path, { credentials: 'same-origin', ...init })
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (response.ok && isJson) {
      lost.hidden = true
      return (await response.json()) as T
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return complain(page.querySelector('main')?.textContent?.trim() ?? `HTTP ${response.status}`)
  } catch {
    return complain('The server does not answer. Start touchstone view again and open its new link.')
  }
}

export function postJson<T>(consequence: string, path: string, value: object): Promise<T | null> {
  const headers = { 'Content-Type': 'application/json' }
  return fetchJson(consequence, path, { method: 'POST', headers, body: JSON.stringify(value) })
}
