import { createRegistry } from '../../registry.ts'
import type { DatasetFormat } from '../format.ts'
import { autorag } from './autorag.ts'
import { beirDataset } from './beir.ts'
import { folder } from './folder.ts'
import { graphragDataset } from './graphrag.ts'
import { graphragBench } from './graphrag-bench.ts'
import { huggingFace } from './hf.ts'
import { hipporagDataset } from './hipporag.ts'
import { hotpotqa, twoWiki } from './hotpotqa.ts'
import { irDatasets } from './ir-datasets.ts'
import { lightragDataset } from './lightrag.ts'
import { locomo, longmemeval } from './memory.ts'
import { mongoexportDataset } from './mongoexport.ts'
import { msmarco } from './msmarco.ts'
import { musique } from './musique.ts'
import { ragas } from './ragas.ts'
import { squad } from './squad.ts'
import { trec } from './trec.ts'

/** The table of formats. A bare path is of the one format that recognizes it. */
export const datasetFormats = createRegistry<DatasetFormat>('dataset format', [
  beirDataset,
  irDatasets,
  hotpotqa,
  twoWiki,
  musique,
  squad,
  msmarco,
  huggingFace,
  trec,
  autorag,
  ragas,
  graphragBench,
  graphragDataset,
  lightragDataset,
  hipporagDataset,
  locomo,
  longmemeval,
  mongoexportDataset,
  folder,
])
