declare module 'saxen' {
  export type Context = () => { readonly line: number }
  export class Parser {
    on(event: 'error' | 'warn', take: (error: Error, context: Context) => void): this
    on(event: 'openTag', take: (name: string, attributes: () => unknown, ...more: unknown[]) => void): this
    on(event: 'closeTag', take: () => void): this
    parse(text: string): void
  }
}

declare module 'snowball-stemmers' {
  export function newStemmer(language: string): { stem(word: string): string }
}

declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>
  export = lists
}
