import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { splitDatasets } from '../../src/config/datasets.ts'
import { fetchNamed } from '../../src/config/remote.ts'
import { UserError } from '../../src/errors.ts'
import type { Hub } from '../../src/hub/open.ts'
import { describeModels } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

describe('names on the hub', () => {
  /** The loaded config, its requests to the hub, and its problems. */
  async function fetched(value: Record<string, unknown>, folder = '/none') {
    const requests: unknown[] = []
    const answer = (name: { repo?: string; name?: string }) => {
      const called = name.repo ?? name.name ?? ''
      if (called.includes('lost')) throw new UserError(`no \`${called}\``)
      if (called.includes('bug')) throw new TypeError('a bug')
      return { name: called, folder: `/hub/${called}`, sources: [], files: { [`${called}.bin`]: '' } }
    }
    const hub: Hub = {
      endpoint: '',
      model: async (name, dtypes) => {
        requests.push([name, dtypes])
        return answer(name)
      },
      dataset: async (name) => {
        requests.push(name)
        return answer(name)
      },
    }
    const { value: made, problems, downloads } = await fetchNamed(value, () => folder, hub)
    return {
      made,
      asked: requests,
      problems: problems.map(({ path, message }) => `${path.join('.')}: ${message}`),
      downloads: downloads.map(({ name }) => name),
    }
  }
  const main = (repo: string, more = {}) => ({ kind: 'hub', repo, revision: 'main', ...more })

  test('of a dataset stand alone, in a list, as a path and in short', async () => {
    expect(await fetched({ dataset: 'hf:a/b', seed: 4 })).toEqual({
      made: { dataset: '/hub/a/b', seed: 4 },
      asked: [main('a/b')],
      problems: [],
      downloads: ['a/b'],
    })
    const several = await fetched({
      dataset: [
        'towns',
        'beir/scifact',
        { beir: { path: 'hf:a/b@v2', config: 'small', split: 'dev' } },
        { beir: { path: 'hf:a/c#large', config: 'small' } },
        { beir: 'hf:a/e' },
        { folder: { path: 5 } },
        { other: 'hf:a/f' },
        7,
      ],
    })
    expect(several.asked).toEqual([
      { kind: 'beir', name: 'scifact' },
      main('a/b', { revision: 'v2', config: 'small' }),
      main('a/c', { config: 'large' }),
      main('a/e'),
    ])
    expect(several.made.dataset).toEqual([
      'towns',
      '/hub/scifact',
      { beir: { path: '/hub/a/b', config: 'small', split: 'dev' } },
      { beir: { path: '/hub/a/c', config: 'small' } },
      { beir: '/hub/a/e' },
      { folder: { path: 5 } },
      { other: 'hf:a/f' },
      7,
    ])
    expect(several.problems).toEqual([])
  })
  describeModels('of models', () => {
    test('are no names where such a file exists', async () => {
      const folder = temporaryFolder({ 'beir/scifact/corpus.jsonl': '', 'own/model/config.json': '{}' })
      const value = {
        dataset: 'beir/scifact',
        prepare: { embedder: { transformers: { model: 'own/model' } } },
      }
      expect(await fetched(value, folder)).toEqual({ made: value, asked: [], problems: [], downloads: [] })
      expect((await fetched(value, join(folder, 'beir'))).asked).toHaveLength(2)
    })

    test('that fail are problems with their place; a bug is thrown', async () => {
      const { problems, downloads } = await fetched({
        dataset: ['hf:a/lost', 'beir/scifakt', 'hf:a/b'],
        rerankers: { one: 'hf:x' },
      })
      expect(problems).toHaveLength(3)
      expect(problems[0]).toBe('dataset.0: no `a/lost`')
      expect(problems[1]).toMatch(
        /^dataset\.1: BEIR has no dataset `scifakt` on the hub \(did you mean "scifact"\?\); there are arguana, /,
      )
      expect(problems[2]).toMatch(/^rerankers\.one: `hf:x` is no name on the hub; it is `hf:owner\/name`/)
      expect(downloads).toEqual(['a/b'])
      await expect(fetched({ dataset: 'hf:a/bug' })).rejects.toThrow(TypeError)
    })
  })
})

describe('an experiment over several datasets', () => {
  function split(paths: readonly string[], resolved: unknown) {
    const datasets = paths.map((path) => ({ name: 'beir', params: { path } }))
    const experiment = { datasets, resolved, recipes: [{ chunk: { name: 'x', params: {} } }], limit: 7 }
    return splitDatasets(experiment as never)
  }

  test('has a folder for each, whose name every file system takes', () => {
    const long = 'n'.repeat(90)
    const paths = [
      '/a/towns',
      '/b/Towns',
      '/c/ä ö.x',
      '/d/.hidden',
      '/e/öä',
      `/f/${long}`,
      '/g/lock',
      '/h/TIMINGS',
      '/i/towns',
    ]
    const shares = split(paths, {})
    expect(shares.map(({ dataset }) => dataset)).toEqual(paths.map((path) => basename(path)))
    expect(shares.map(({ folder }) => folder)).toEqual([
      'towns',
      'Towns-2',
      'x',
      'hidden',
      'dataset',
      'n'.repeat(80),
      'lock-2',
      'TIMINGS-2',
      'towns-3',
    ])
  })

  test('is the experiment of that dataset alone', () => {
    const [first, two] = split(['/a/x', '/a/y'], { dataset: ['x', { beir: 'y' }], seed: 5 })
    expect(first?.experiment).toMatchObject({ limit: 7, resolved: { dataset: 'x', seed: 5 } })
    expect(two?.experiment).toMatchObject({ resolved: { dataset: { beir: 'y' }, seed: 5 } })
    expect(two?.experiment.datasets).toEqual([{ name: 'beir', params: { path: '/a/y' } }])
    expect(split(['/a/x'], { dataset: 'x' })[0]?.experiment.resolved).toEqual({ dataset: 'x' })
  })
})
