/**
 * A way to DynamoDB that loses answers: the first run that begins with a key whose name has a given text writes its record, and
 * never hears of it, however often the SDK asks again. All else passes.
 */
import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that runs. */
export interface LossyProxy {
  readonly url: string
  /** Answers to the first run that begins with this key will be lost. */
  lose(key: string): void
  /** How many answers were lost so far for a key. */
  lost(key: string): number
  stop(): void
}

interface Loss {
  run: string | undefined
  count: number
}

/** Starts a proxy in front of an endpoint, on a free port of 127.0.0.1. */
export async function startLossyProxy(endpoint: string): Promise<LossyProxy> {
  const losses = new Map<string, Loss>()

  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    // The host stays the proxy's own: it is part of the signature.
    const outgoing = ask(new URL(incoming.url ?? '/', endpoint), { method: incoming.method, headers: incoming.headers })
    outgoing.end(body)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const loss = lossFor(losses, String(incoming.headers['x-amz-target']), body.toString())
    if (loss !== undefined) {
      loss.count++
      answer.resume()
      response.socket?.resetAndDestroy()
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  }

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (key) => void losses.set(key, { run: undefined, count: 0 }),
    lost: (key) => losses.get(key)?.count ?? 0,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Whatever form the store's writes have: a run is a UUID in them, and the first one that writes this key is the one that loses. */
function lossFor(losses: ReadonlyMap<string, Loss>, target: string, body: string): Loss | undefined {
  if (!/UpdateItem|BatchExecuteStatement/.test(target)) return undefined
  const [, loss] = [...losses].find(([key]) => body.includes(key)) ?? []
  const run = /":run":\{"S":"([^"]+)"/.exec(body)?.[1] ?? /[0-9a-f]{8}(-[0-9a-f]{4}){4}[0-9a-f]{8}/.exec(body)?.[0]
  if (loss === undefined || run === undefined) return undefined
  loss.run ??= run
  return loss.run === run ? loss : undefined
}
