import type { Link } from '../chain.ts'
import { isObject, read, readText } from '../read.ts'
import { family } from './family.ts'

/** Elasticsearch and OpenSearch by the type of the exception, where it says more than the status. */
export const search = family('search', keys, {
  unavailable: /^(cluster_block|no_shard_|master_not_|unavailable_|node_|index_primary_shard)|_timeout_exception$/,
  throttled: /rejected_execution|circuit_breaking/,
  absent: 'index_not_found_exception',
  condition: 'version_conflict_engine_exception',
  exists: 'resource_already_exists_exception document_already_exists_exception',
})

function keys({ value, message }: Link): readonly string[] {
  const meta = read(value, 'meta')
  if (!isObject(meta)) return []
  return [readText(read(read(meta, 'body'), 'error'), 'type'), /^\w+_exception/.exec(message)?.[0] ?? '']
}
