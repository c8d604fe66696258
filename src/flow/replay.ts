import type { SqsMessageAttribute, SqsRecord } from './event.ts'

/** The attribute that holds a dead letter's evidence. */
export const EVIDENCE_ATTRIBUTE = 'redrive'

/** The attribute that takes its place on a replay: first message id, number of the replay, attributes that had to make room. */
export const REPLAY_ATTRIBUTE = 'redrive.replay'

/** What a record that comes again says of its past. */
export interface Received {
  readonly record: SqsRecord
  readonly id: string
  readonly replays: number
}

/**
 * A message that arrives with `redrive.replay` or with evidence is a replay, whoever sent it (DESIGN 4.7): it keeps its first
 * id, and its record looks as it did the first time. Text in these attributes that is not ours is left alone.
 */
export function receivedAgain(record: SqsRecord): Received {
  const own = record.messageAttributes ?? {}
  const replay = parse(own[REPLAY_ATTRIBUTE]?.stringValue, 'id')
  const evidence = parse(own[EVIDENCE_ATTRIBUTE]?.stringValue, 'messageId')
  if (replay === undefined && evidence === undefined) {
    return {
      record: own === record.messageAttributes ? record : { ...record, messageAttributes: own },
      id: record.messageId,
      replays: 0,
    }
  }
  const kept = { ...own }
  if (replay !== undefined) delete kept[REPLAY_ATTRIBUTE]
  if (evidence !== undefined) delete kept[EVIDENCE_ATTRIBUTE]
  const moved = { ...attributesOf(evidence), ...attributesOf(replay) }
  return {
    record: { ...record, messageAttributes: { ...kept, ...moved } },
    id: text(replay?.['id']) ?? text(evidence?.['firstMessageId']) ?? text(evidence?.['messageId']) ?? record.messageId,
    replays: count(replay?.['replay']) ?? (count(evidence?.['replays']) ?? 0) + 1,
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Ours, if it names a message id. */
function parse(json: string | undefined, id: string): Fields | undefined {
  if (json === undefined) return undefined
  try {
    const value = Object(JSON.parse(json)) as Fields
    return text(value[id]) === undefined ? undefined : value
  } catch {
    return undefined
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

function attributesOf(fields: Fields | undefined): Record<string, SqsMessageAttribute> {
  const moved = fields?.['attributes']
  if (typeof moved !== 'object' || moved === null) return {}
  return Object.fromEntries(
    Object.entries(moved).filter(
      (entry): entry is [string, SqsMessageAttribute] => typeof Object(entry[1]).dataType === 'string',
    ),
  )
}
