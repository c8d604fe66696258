import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Work } from './books.ts'

const ChargeBody = z.object({ order: z.string(), card: z.string(), cents: z.int().nonnegative(), currency: z.string() })
const PostingBody = z.object({ movement: z.string(), cents: z.int() })

/** A request that was understood, or the status that refuses it. */
export type Understood = { readonly is: 'work'; readonly work: Work } | { readonly is: 'refused'; readonly status: 400 | 404 }

/** `POST /charges` and `POST /accounts/{account}/movements`; everything else is 404, a body that does not fit 400. */
export function understand(method: string | undefined, path: string, body: string): Understood {
  const account = /^\/accounts\/([^/]+)\/movements$/.exec(path)?.[1]
  if (method !== 'POST' || (path !== '/charges' && account === undefined)) return { is: 'refused', status: 404 }
  const json = parse(body)
  if (account === undefined) {
    const charge = ChargeBody.safeParse(json)
    return charge.success ? { is: 'work', work: { is: 'charge', ...charge.data } } : { is: 'refused', status: 400 }
  }
  const posting = PostingBody.safeParse(json)
  if (!posting.success) return { is: 'refused', status: 400 }
  return { is: 'work', work: { is: 'posting', account: decodeURIComponent(account), ...posting.data } }
}

/** What the work is about: the order's or the movement's id. */
export const referenceOf = (work: Work): string => (work.is === 'charge' ? work.order : work.movement)

/** Rejects when the caller leaves before the end. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
