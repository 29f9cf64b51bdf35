import { countsOf } from '../maps.ts'
import type { Draft, Dropped } from './draft.ts'
import { overlapOf } from './filters.ts'

/** Differences in the sheet's table of required questions. */
const DIFFERENCES = [0.02, 0.05, 0.1, 0.2]
/** Two-sided level .05 and power .8 of a paired z-test. */
const QUANTILES = 1.95996 + 0.84162

export type QualitySheet = ReturnType<typeof qualitySheet>

interface SheetInput {
  readonly drafted: number
  readonly examined: number
  readonly documents: number
  readonly texts: ReadonlyMap<string, string>
  /** Questions whose gold every arm ranks first; null if no arms ran. */
  readonly trivial: number | null
  /** Largest standard deviation of a paired difference between two arms; null if none ran. */
  readonly spread: number | null
}

export function qualitySheet(
  drafts: readonly Draft[],
  dropped: readonly Dropped[],
  { drafted, examined, documents, texts, trivial, spread }: SheetInput,
) {
  const kinds = [...new Set(drafts.map(({ kind }) => kind))].sort()
  return {
    questions: drafts.length,
    kinds: kinds.map((kind) => {
      const ofKind = drafts.filter((draft) => draft.kind === kind)
      const overlap = ofKind.reduce((sum, draft) => sum + overlapOf(draft, texts), 0) / ofKind.length
      return { kind, questions: ofKind.length, overlap }
    }),
    trivial,
    documents: { asked: new Set(drafts.flatMap(({ from }) => from)).size, of: documents },
    candidates: { drafted, examined, dropped: dropped.length },
    /** Without the numbers and texts of one candidate. */
    reasons: countsBy(dropped.map(({ reason }) => generalReason(reason))),
    /** Queries that find a difference four times in five; null if no arms ran. */
    needed:
      spread === null
        ? null
        : DIFFERENCES.map((difference) => ({
            difference,
            queries: Math.max(15, Math.ceil(((QUANTILES * spread) / difference) ** 2)),
          })),
  }
}

const GENERAL: readonly (readonly [RegExp, string])[] = [
  [/^is nearly .*/s, 'is nearly an earlier question'],
  [/^(\S+ drafted none:) .*/s, '$1 ...'],
  [/^\d+ passages/, 'several passages'],
  [/\d+/g, 'several'],
]

/** Reason of one candidate as that of all candidates dropped for it. */
function generalReason(reason: string): string {
  return GENERAL.reduce((text, [pattern, general]) => text.replace(pattern, general), reason)
}

function countsBy(reasons: readonly string[]): { reason: string; questions: number }[] {
  return [...countsOf(reasons)]
    .map(([reason, questions]) => ({ reason, questions }))
    .sort((a, b) => b.questions - a.questions)
}

const percent = (share: number) => `${Math.round(100 * share)} %`

export function sheetText(sheet: QualitySheet): string {
  const { questions, kinds, documents, candidates, reasons, trivial, needed } = sheet
  return [
    `# Drafted questions: ${questions}`,
    '',
    'These questions are synthetic: drafted from the corpus, asked by nobody. Read them before you trust a decision that they make.',
    '',
    '| kind | questions | words in the gold |',
    '|---|---:|---:|',
    ...kinds.map(({ kind, questions, overlap }) => `| ${kind} | ${questions} | ${percent(overlap)} |`),
    '',
    "Words in the gold: share of a question's words that its gold has. A high share favours lexical search.",
    '',
    `- Documents asked about: ${documents.asked} of ${documents.of}.`,
    `- Candidates: ${candidates.drafted} drafted, ${candidates.examined} examined, ${candidates.dropped} dropped.`,
    ...reasons.map(({ reason, questions }) => `  - ${questions}: ${reason}`),
    ...(trivial === null ? [] : [`- Questions whose gold every arm finds first, used last: ${trivial}.`]),
    ...(needed === null
      ? ['- How many questions a comparison needs is unknown: no arm was run.']
      : [
          '- Questions that two arms need, by the variance of these (level .05, power .8, one comparison):',
          ...needed.map(
            ({ difference, queries }) => `  - ${Math.round(100 * difference)} points: ${queries}`,
          ),
        ]),
    '',
  ].join('\n')
}
