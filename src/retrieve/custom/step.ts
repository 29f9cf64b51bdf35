import { setImmediate } from 'node:timers/promises'
import { hashReads, unknownKeys } from '../../custom/files.ts'
import { type Guard, isPromise } from '../../custom/guard.ts'
import type { CustomFile } from '../../custom/load.ts'
import { UserError } from '../../errors.ts'
import type { Inputs } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import { defineStep, type StepDefinition } from '../step.ts'

/** Milliseconds of work before pending events, such as Ctrl-C, are handled. */
const WORK = 100

type CustomStep<P extends Json, I extends readonly unknown[], O, A extends Inputs> = StepDefinition<
  P,
  I,
  O,
  A
> & {
  /** Seconds that a query may take. */
  readonly timeout?: number
  /** Paths of files that it reads, relative to its own file: their content is part of its key. */
  readonly files?: readonly string[]
}

const KEYS = [
  'name',
  'version',
  'within',
  'channel',
  'yields',
  'artifacts',
  'requires',
  'asks',
  'facts',
  'run',
  'runBlock',
  'pick',
  'pickFellBack',
]

/** `defineStep` for a custom file. Inputs and outputs are copied, and calls have a time limit. */
export function defineCustomStep(guard: Guard, file?: CustomFile) {
  return <P extends Json, I extends readonly unknown[], O, A extends Inputs = Record<never, never>>(
    definition: CustomStep<P, I, O, A>,
  ) => {
    const { timeout, files, ...step } = definition
    const subject = `the step \`${step.name}\``
    const unknown = unknownKeys(step, KEYS)
    if (unknown.length > 0 || !(files === undefined || Array.isArray(files)))
      throw new UserError(
        `${subject} has an ${unknown.length > 0 ? unknown.join(', an ') : '`files` that is no list of paths'}; keys of a step are ${[...KEYS, 'timeout', 'files'].join(', ')}`,
      )
    const code = file && (files ? hashOf([file.sha256, hashReads(file, files, null)]) : file.sha256)
    const call = <T>(run: () => T) => guard.call(subject, run, timeout)
    const { run, runBlock, pick, facts, pickFellBack } = step
    return defineStep<P, I, O, A>({
      ...step,
      ...(code !== undefined && { code }),
      run: undefined,
      runBlock:
        (run || runBlock) &&
        (async (block, context) => {
          const copies = structuredClone(block)
          const answers: O[] = []
          if (runBlock) {
            const all = call(() => runBlock(copies, context))
            answers.push(...structuredClone(isPromise(all) ? await guard.wait(subject, all, timeout) : all))
          }
          while (run && answers.length < copies.length) {
            const until = performance.now() + WORK
            const promised = call(() => {
              while (answers.length < copies.length && performance.now() < until) {
                const answer = run(copies[answers.length], context)
                if (isPromise(answer)) return answer
                answers.push(structuredClone(answer))
              }
              return undefined
            })
            if (promised) answers.push(structuredClone(await guard.wait(subject, promised, timeout)))
            else if (answers.length < copies.length) await setImmediate()
          }
          return answers
        }),
      pick: pick && ((first, params) => call(() => pick(structuredClone(first), params))),
      facts: facts && ((output) => call(() => facts(structuredClone(output)))),
      pickFellBack: pickFellBack && ((arm, params) => call(() => pickFellBack(arm, params))),
    })
  }
}
