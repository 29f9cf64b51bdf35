import type { ComponentChildren } from 'preact'
import { rendered } from '../report/markup.ts'

export interface ViewPage {
  readonly title: string
  readonly heading: ComponentChildren
  readonly main: ComponentChildren
  /** True if the page follows its files. */
  readonly live?: boolean
}

/** Content-Security-Policy of all pages but the report. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function framed({ title, heading, main, live }: ViewPage, isHome: boolean, script?: string): string {
  return `<!doctype html>\n${rendered(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · Touchstone`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/view.css" />
        <script src="/view.js" defer />
        {script && <script src={script} defer />}
      </head>
      <body class="view" data-live={live || undefined}>
        <a class="skip" href="#main">
          To the content
        </a>
        <header>
          <p class="kind">{isHome ? 'Touchstone' : <a href="/">All experiments</a>}</p>
          {heading}
        </header>
        <p class="lost" id="lost" role="alert" hidden>
          The server does not answer. Start <code>touchstone view</code> again and open its new link.
        </p>
        <main id="main">{main}</main>
      </body>
    </html>,
  )}\n`
}

export function Section({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}

export function addressOf(page: 'report' | 'live', name: string): string {
  return name === '.' ? `/${page}/` : `/${page}/${name.split('/').map(encodeURIComponent).join('/')}`
}
