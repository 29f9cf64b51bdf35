import type { Compressors, FileMetaData } from 'hyparquet'
import { snappyUncompressor } from 'hysnappy'

const OWN: Compressors = { SNAPPY: snappyUncompressor() }

/** Decompressors of a Parquet file. Loads the other codecs only for a file that uses one, since each command would pay for them. */
export async function codecsOf({ row_groups }: FileMetaData): Promise<Compressors> {
  const used = new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec)))
  used.delete('UNCOMPRESSED')
  used.delete('SNAPPY')
  return used.size === 0 ? OWN : (await import('hyparquet-compressors')).compressors
}
