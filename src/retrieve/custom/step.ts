import { setImmediate } from 'node:timers/promises'
import { hashReads, unknownKeys } from '../../custom/files.ts'
import { type Guard, isPromise } from '../../custom/guard.ts'
import type { CustomFile } from '../../custom/load.ts'
import { UserError } from '../../errors.ts'
import type { Inputs } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import { defineStep, type StepDefinition } from '../step.ts'

/** Milliseconds of work after which a process sees to what else waits, as a Ctrl-C. */
const WORK = 100

/** A step from somebody's file. */
type CustomStep<P extends Json, I extends readonly unknown[], A extends Inputs, O> = StepDefinition<
  P,
  I,
  A,
  O
> & {
  /** Seconds that a query may take. */
  readonly timeout?: number
  /** Paths of files that it reads, relative to its own file: their content is part of its key. */
  readonly files?: readonly string[]
}

/** Keys of a step that its author may give. */
const KEYS = [
  'name',
  'version',
  'within',
  'channel',
  'yields',
  'artifacts',
  'requires',
  'embeds',
  'asks',
  'counts',
  'notes',
  'marks',
  'finds',
  'run',
  'runBlock',
  'pick',
  'arms',
  'fellBack',
  'pickFellBack',
]

/**
 * `defineStep` for a custom file. What goes in and what comes out is copied, so that such a
 * step changes nothing that other trials read, and every call of it ends in time.
 */
export function defineCustomStep(guard: Guard, file?: CustomFile) {
  return <P extends Json, I extends readonly unknown[], A extends Inputs, O>(
    definition: CustomStep<P, I, A, O>,
  ) => {
    const { timeout, files, ...step } = definition
    const what = `the step \`${step.name}\``
    const unknown = unknownKeys(step, KEYS)
    if (unknown.length > 0 || !(files === undefined || Array.isArray(files)))
      throw new UserError(
        `${what} has an ${unknown.length > 0 ? unknown.join(', an ') : '`files` that is no list of paths'}; keys of a step are ${[...KEYS, 'timeout', 'files'].join(', ')}`,
      )
    const code = file && (files ? hashOf([file.sha256, hashReads(file, files, null)]) : file.sha256)
    const call = <T>(run: () => T) => guard.call(what, run, timeout)
    const { run, runBlock, pick, counts, fellBack, pickFellBack } = step
    return defineStep<P, I, A, O>({
      ...step,
      ...(code !== undefined && { code }),
      run: undefined,
      runBlock:
        (run || runBlock) &&
        (async (block, context) => {
          const own = structuredClone(block)
          const answers: O[] = []
          if (runBlock) {
            const all = call(() => runBlock(own, context))
            answers.push(...structuredClone(isPromise(all) ? await guard.wait(what, all, timeout) : all))
          }
          while (run && answers.length < own.length) {
            const until = performance.now() + WORK
            const promised = call(() => {
              while (answers.length < own.length && performance.now() < until) {
                const answer = run(own[answers.length], context)
                if (isPromise(answer)) return answer
                answers.push(structuredClone(answer))
              }
              return undefined
            })
            if (promised) answers.push(structuredClone(await guard.wait(what, promised, timeout)))
            else if (answers.length < own.length) await setImmediate()
          }
          return answers
        }),
      pick: pick && ((first, params) => call(() => pick(structuredClone(first), params))),
      counts: counts && ((output) => call(() => counts(structuredClone(output)))),
      fellBack: fellBack && ((output) => call(() => fellBack(structuredClone(output)))),
      pickFellBack: pickFellBack && ((arm, params) => call(() => pickFellBack(arm, params))),
      arms: undefined,
      embeds: undefined,
    })
  }
}
