import { afterAll, beforeAll } from 'vitest'
import { PAUSES } from '../../src/engines/server.ts'

/** Makes the pauses between tries of this file's requests a fiftieth as long. */
export function shortPauses(): void {
  const pauses = [...PAUSES]
  beforeAll(() => {
    PAUSES.splice(0, PAUSES.length, ...pauses.map((pause) => pause / 50))
  })
  afterAll(() => {
    PAUSES.splice(0, PAUSES.length, ...pauses)
  })
}
