import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { slurmCommands } from '../../src/clusters/slurm/commands.ts'
import { temporaryFolder } from '../temporary.ts'
import { fakeCluster, type Said } from './cluster.ts'

let cluster: ReturnType<typeof fakeCluster>
beforeEach(() => {
  cluster = fakeCluster()
})
afterEach(() => cluster.remove())

/** A command says these things, one after another, then the last one again. */
const says = (...outputs: readonly Said[]) => {
  let turn = 0
  cluster.state.plan = () => outputs[Math.min(turn++, outputs.length - 1)]
}
const commands = slurmCommands({ PATH: '/bin' })
const BUSY = { code: 1, err: 'sbatch: error: Unable to contact slurm controller (connect failure)' }

describe('submitting', () => {
  const submit = (signal?: AbortSignal) => commands.submit(['--time=1'], 'a.sh', signal)

  test.each([
    ['12\n', '12'],
    ['12;cluster\n', '12'],
    ['sbatch: a note of the site\n34\n', '34'],
  ])('reads the number of the job in %j', async (out, job) => {
    says({ out })
    expect(await submit()).toBe(job)
    expect(cluster.asked).toEqual([['sbatch', '--parsable', '--time=1', 'a.sh']])
  })

  test.each([
    [{ code: 1, err: 'sbatch: error: no such partition\n' }, 'Slurm refuses the job: no such partition'],
    [{ code: 1, err: ' error: two\n\nsbatch: lines\nthree' }, 'Slurm refuses the job: error: two; lines'],
    [{ out: 'no number\n' }, 'Slurm refuses the job: no number'],
    [{ code: 3, out: '5\n' }, 'Slurm refuses the job: 5'],
    [{ code: 3 }, 'Slurm refuses the job: sbatch ended with 3'],
    [{ failed: { code: 'EACCES' } }, 'Slurm refuses the job: sbatch ended with 1'],
  ])('does not ask again after %o', async (said, message) => {
    says(said)
    await expect(submit()).rejects.toThrow(expect.objectContaining({ message }))
    expect(cluster.asked).toHaveLength(1)
    expect(cluster.slept).toEqual([])
  })

  test.each([
    BUSY,
    { code: 1, err: 'Socket timed out on send/recv operation' },
    { code: 1, err: 'Resource temporarily unavailable' },
    { code: 1, err: 'Please TRY AGAIN later' },
    { failed: { killed: true } },
  ])('asks again after %o', async (said) => {
    says(said, said, said, { out: '7\n' })
    expect(await submit()).toBe('7')
    expect(cluster.slept).toEqual([1000, 3000, 9000])
  })

  test('asks four times', async () => {
    says(BUSY)
    await expect(submit()).rejects.toThrow('Slurm refuses the job: Unable to contact slurm controller')
    expect(cluster.asked).toHaveLength(4)
  })

  test('does not ask again if the run is stopped', async () => {
    says(BUSY)
    const stopped = new AbortController()
    cluster.state.sleeping = () => stopped.abort()
    await expect(submit(stopped.signal)).rejects.toThrow('Unable to contact')
    expect(cluster.asked).toHaveLength(2)
  })

  test('names a command that is not there', async () => {
    says({ failed: { code: 'ENOENT' } })
    await expect(submit()).rejects.toThrow('there is no command `sbatch`; ')
  })
})

test.each([
  [{ out: 'PENDING\nRUNNING\n' }, true],
  [{ out: '\n' }, false],
  [{ code: 1, err: 'slurm_load_jobs error: Invalid job id specified' }, false],
  [{ code: 1, err: 'Unable to contact slurm controller' }, undefined],
  [{ failed: { killed: true } }, undefined],
])('whether a job is active: %o', async (said, isActive) => {
  says(said)
  expect(await commands.isActive('5')).toBe(isActive)
  expect(cluster.asked).toEqual([['squeue', '--noheader', '--jobs=5', '--format=%T']])
})

test('cancels jobs by their name and number', async () => {
  await commands.cancel([])
  expect(cluster.asked).toEqual([])
  says({ code: 1, err: 'Invalid job id' })
  await commands.cancel(['5', '6'])
  expect(cluster.asked).toEqual([['scancel', '--name=touchstone', '5', '6']])
})

test('starts real programs with the environment that was given', async () => {
  cluster.remove()
  const folder = temporaryFolder()
  await expect(slurmCommands({ PATH: folder }).maxArraySize()).rejects.toThrow('no command `scontrol`')
})
