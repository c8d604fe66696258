/**
 * A payment provider: a real HTTP server on 127.0.0.1 with books, and with every bad habit that such services have. It stands
 * with the demo and not in src/service, because nobody deploys it: it is what the service's code has to live with.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Books } from './books.ts'
import { type Fault, FaultPlan, retryAfterHeader } from './faults.ts'
import { bodyOf, referenceOf, understand } from './requests.ts'

/** A running provider. */
export interface Provider {
  readonly url: string
  readonly books: Books
  readonly faults: FaultPlan
  /** Requests that were read so far, whatever became of them. */
  readonly requests: number
  /** From now on connections are refused, and open ones reset. */
  goDown(): Promise<void>
  /** Listens again, at the same address. */
  comeUp(): Promise<void>
  stop(): Promise<void>
}

/** What a provider is given; all of it optional. */
export interface ProviderOptions {
  /** How long a request takes that meets no fault. @default 0 */
  readonly latencyMs?: () => number
  /** Epoch ms, for the dates in its answers. @default the real time */
  readonly now?: () => number
  /** Told what each request is about, once it was read. */
  readonly onRequest?: (reference: string) => void
}

/** Starts a provider on a free port. */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const books = new Books()
  const faults = new FaultPlan()
  const stopping = new AbortController()
  let requests = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const understood = understand(request.method, request.url ?? '/', await bodyOf(request))
    requests++
    if (understood.is === 'refused') return reply(response, understood.status, {})
    const { work } = understood
    const reference = referenceOf(work)
    options.onRequest?.(reference)
    const fault = faults.next(reference)
    if (fault && (await misbehave(fault, response, options.now ?? Date.now, stopping.signal))) return
    if (!fault) await wait(options.latencyMs?.() ?? 0, undefined, { signal: stopping.signal })
    // Also when the caller has left meanwhile: a provider does not notice that.
    const { status, body } = books.do(work, request.headers['idempotency-key']?.toString())
    if (fault?.is === 'lost-answer') response.socket?.resetAndDestroy()
    else reply(response, status, body)
  }

  const server = createServer((request, response) => {
    // A caller that left, or a provider that stops: there is nobody to tell.
    answer(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, 0)
  return {
    url: `http://127.0.0.1:${port}/`,
    books,
    faults,
    get requests() {
      return requests
    },
    goDown: () => close(server),
    comeUp: async () => void (await listen(server, port)),
    stop: async () => {
      stopping.abort()
      await close(server)
    },
  }
}

/** Resolves with true where nothing is to be done any more. */
async function misbehave(fault: Fault, response: ServerResponse, now: () => number, stopping: AbortSignal): Promise<boolean> {
  switch (fault.is) {
    case 'answer':
      reply(response, fault.status, { error: 'Not now.' }, retryAfterHeader(fault, now()))
      return true
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'hang':
      return true
    case 'slow':
      await wait(fault.ms, undefined, { signal: stopping })
      return false
    case 'lost-answer':
      return false
  }
}

function reply(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
