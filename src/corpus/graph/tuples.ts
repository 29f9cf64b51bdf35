/** Parsed completion in GraphRAG's form. */
export interface Tuples {
  readonly entities: readonly { readonly name: string; readonly type: string; readonly description: string }[]
  readonly relationships: readonly {
    readonly source: string
    readonly target: string
    readonly description: string
    readonly strength: number
  }[]
  /** Records that are neither entity nor relationship. */
  readonly malformed: number
  /** True if the model says that it is done. */
  readonly complete: boolean
}

const DELIMITER = '<|>'
const COMPLETE = '<|COMPLETE|>'

/**
 * Reads tuples as models write them: GraphRAG's records, `("entity"<|>NAME<|>TYPE<|>DESCRIPTION)` and
 * `("relationship"<|>SOURCE<|>TARGET<|>DESCRIPTION<|>STRENGTH)`, between `##` or line breaks, with or without bullets,
 * quotes and brackets. A strength that is no number is 1, as in GraphRAG; repeated records count once, since small models
 * repeat themselves. Lines without a delimiter are ignored.
 * Edge et al., From Local to Global: A Graph RAG Approach to Query-Focused Summarization (2024).
 */
export function readTuples(text: string): Tuples {
  const entities: Tuples['entities'][number][] = []
  const relationships: Tuples['relationships'][number][] = []
  const seen = new Set<string>()
  let malformed = 0
  for (const record of text.replaceAll(COMPLETE, '\n').split(/##|\n/)) {
    if (!record.includes(DELIMITER)) continue
    const [kind, ...fields] = record
      .replace(/\)[^)]*$/, '')
      .split(DELIMITER)
      .map(bare)
    const id = JSON.stringify([kind, ...fields])
    if (seen.has(id)) continue
    seen.add(id)
    if (/entity$/i.test(kind) && fields.length >= 2 && fields[0] !== '') {
      const [name, type, description = ''] = fields
      entities.push({ name, type: type.toUpperCase(), description })
    } else if (/relationship$/i.test(kind) && fields.length >= 3 && fields[0] !== '' && fields[1] !== '') {
      const [source, target, description, strength = ''] = fields
      relationships.push({ source, target, description, strength: strengthOf(strength) })
    } else malformed++
  }
  return { entities, relationships, malformed, complete: text.includes(COMPLETE) }
}

/** Field without enclosing quotes or brackets. */
function bare(field: string): string {
  return field.replace(/^[\s("'*`]+|[\s"'*`]+$/g, '')
}

function strengthOf(field: string): number {
  const strength = field === '' ? Number.NaN : Number(field)
  return strength >= 0 && strength < Number.POSITIVE_INFINITY ? strength : 1
}
