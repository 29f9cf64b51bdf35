import { createRegistry } from '../../registry.ts'
import type { DatasetFormat } from '../format.ts'
import { twoWiki } from './2wiki.ts'
import { beirDataset } from './beir.ts'
import { hotpotqa } from './hotpotqa.ts'
import { irDatasets } from './ir-datasets.ts'
import { markdown } from './markdown.ts'
import { mongoexportDataset } from './mongoexport.ts'
import { musique } from './musique.ts'

/** Every format. A bare path is the first one whose `detect` knows it. */
export const datasetFormats = createRegistry<DatasetFormat>('dataset format', [
  beirDataset,
  irDatasets,
  hotpotqa,
  twoWiki,
  musique,
  mongoexportDataset,
  markdown,
])
