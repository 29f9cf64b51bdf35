import { test } from 'vitest'
import { runTogether } from '../experiment/together.ts'

const ROUNDS = Number(process.env.TOUCHSTONE_ROUNDS ?? 30)

test(`four processes at once on a new store, ${ROUNDS} times`, () => runTogether(ROUNDS))
