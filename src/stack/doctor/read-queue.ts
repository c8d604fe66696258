/** A queue's facts out of a template. What is not said has the value that SQS gives it (F1, F8, F9). */
import { lastName } from './arn.ts'
import type { QueueFacts, RedrivePolicy } from './facts.ts'
import { identity, nameOf } from './identity.ts'
import { andThen, type Known, notSeen, seen } from './known.ts'
import { DEFAULT_RETENTION } from './limits.ts'
import { isRecord, type Loose, Unresolved } from './loose.ts'
import { asBoolean, asList, asNumber, asRecord, asText, type Read, type ReadTemplate, record } from './template.ts'

const LARGEST_MESSAGE = 1_048_576
const DEFAULT_VISIBILITY = 30
/** SQS's own default where a redrive policy names no count (F27). */
const DEFAULT_RECEIVES = 10

/** The queue of an ARN, URL or name. */
export function findQueue(template: ReadTemplate, known: Known<string>): QueueFacts {
  if (known.is === 'not seen') return unseenQueue('queue', known, known.why)
  const name = lastName(known.value)
  const queue = template.ofType('AWS::SQS::Queue').find(({ resource }) => nameOf(resource, template.resolve) === name)
  if (queue !== undefined) return readQueue(template, queue)
  const arn = known.value.startsWith('arn:') ? known.value : `arn:<partition>:sqs:<region>:<account>:${name}`
  const facts = unseenQueue(`queue ${name}`, seen(arn), `the queue ${name} is not in this template`)
  if (template.missing.has(name)) return { ...facts, exists: seen(false) }
  return facts
}

/** A queue of which the name is known at best. */
function unseenQueue(where: string, arn: Known<string>, why: string): QueueFacts {
  const unseen = notSeen(why)
  const fifo = andThen(arn, (text) =>
    text.includes('<') && !text.endsWith('.fifo') && /<\w+>$/.test(text) ? unseen : seen(text.endsWith('.fifo')),
  )
  return {
    where,
    arn,
    name: andThen(arn, (text) => seen(lastName(text))),
    exists: unseen,
    fifo,
    fifoName: fifo,
    visibilityTimeout: unseen,
    retention: unseen,
    largestMessage: unseen,
    redrive: unseen,
    takesFrom: unseen,
    key: unseen,
    hasPolicy: unseen,
  }
}

function readQueue(template: ReadTemplate, queue: Read): QueueFacts {
  const { get, resource, where } = queue
  const name = nameOf(resource, template.resolve)
  const fifo = asBoolean(get('FifoQueue'), false)
  const given = get('QueueName')
  return {
    where,
    arn: seen(String(identity(resource, 'Arn', template.resolve))),
    name: seen(name),
    exists: seen(true),
    fifo,
    // CloudFormation makes up a name that fits.
    fifoName: given === undefined ? fifo : given instanceof Unresolved ? notSeen(given.why) : seen(name.endsWith('.fifo')),
    visibilityTimeout: asNumber(get('VisibilityTimeout'), DEFAULT_VISIBILITY),
    retention: asNumber(get('MessageRetentionPeriod'), DEFAULT_RETENTION),
    largestMessage: asNumber(get('MaximumMessageSize'), LARGEST_MESSAGE),
    redrive: redriveOf(get('RedrivePolicy')),
    takesFrom: takesFromOf(get('RedriveAllowPolicy')),
    key: andThen(asText(get('KmsMasterKeyId'), undefined), (key) => seen(isAwsOwn(key) ? undefined : key)),
    hasPolicy: hasPolicy(template, name),
  }
}

/** AWS's own key is open to all who may use the queue. */
const isAwsOwn = (key: string | undefined): boolean => key === undefined || key === '' || /(^|:)alias\/aws\/sqs$/.test(key)

function redriveOf(value: unknown): Known<RedrivePolicy | undefined> {
  return andThen(asPolicy(value), (policy) =>
    Object.keys(policy).length === 0
      ? seen(undefined)
      : seen({
          target: andThen(asText(policy['deadLetterTargetArn'], undefined), (target) =>
            target === undefined ? notSeen('a redrive policy without deadLetterTargetArn') : seen(target),
          ),
          maxReceiveCount: asNumber(policy['maxReceiveCount'], DEFAULT_RECEIVES),
        }),
  )
}

function takesFromOf(value: unknown): QueueFacts['takesFrom'] {
  return andThen(asPolicy(value), (policy) =>
    andThen(asText(policy['redrivePermission'], 'allowAll'), (permission): QueueFacts['takesFrom'] => {
      if (permission === 'allowAll') return seen('all')
      if (permission === 'denyAll') return seen('none')
      return andThen(asList(policy['sourceQueueArns']), (arns) => {
        const unresolved = arns.find((arn) => typeof arn !== 'string')
        return unresolved === undefined
          ? seen(arns as readonly string[])
          : notSeen(unresolved instanceof Unresolved ? unresolved.why : 'a source queue of no name')
      })
    }),
  )
}

/** In CloudFormation an object, in SQS a text of JSON (F37). */
function asPolicy(value: unknown): Known<Loose> {
  if (typeof value !== 'string') return asRecord(value)
  try {
    return value === '' ? seen({}) : asRecord(JSON.parse(value))
  } catch {
    return notSeen('a policy that is no JSON')
  }
}

/** Whether the queue itself lets somebody in who is no service of AWS, e.g. the role. */
function hasPolicy(template: ReadTemplate, name: string): Known<boolean> {
  let unseen: string | undefined
  for (const policy of template.ofType('AWS::SQS::QueuePolicy', 'AWS::SQS::QueueInlinePolicy')) {
    const queues = asList(policy.get('Queues') ?? policy.get('Queue'))
    const document = asRecord(policy.get('PolicyDocument'))
    if (queues.is === 'not seen' || document.is === 'not seen') {
      unseen = `the policy ${policy.where} may be about it`
      continue
    }
    const about = queues.value.some((queue) => typeof queue === 'string' && lastName(queue) === name)
    if (about && letsRolesIn(document.value)) return seen(true)
    if (queues.value.some((queue) => queue instanceof Unresolved)) unseen = `the policy ${policy.where} may be about it`
  }
  return unseen === undefined ? seen(false) : notSeen(unseen)
}

function letsRolesIn(document: Loose): boolean {
  return [document['Statement']].flat().some((statement) => {
    const { Effect, Principal } = record(statement)
    return Effect === 'Allow' && !(isRecord(Principal) && Object.keys(Principal).join() === 'Service')
  })
}
