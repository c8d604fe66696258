/** A server on this machine that answers as the path asks: `/status/429`, `/reset`, `/hang`, … */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

export interface MisbehavingServer {
  readonly url: string
  close(): void
}

const half = { 'content-type': 'application/json', 'content-length': '1000' }

const misbehaviour: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  /** Gone before a single byte. */
  hangup: (request) => void request.socket.destroy(),
  reset: (request) => void request.socket.resetAndDestroy(),
  /** Gone in the middle of the body. */
  truncated: (request, response) => {
    response.writeHead(200, half).write('{"a":', () => request.socket.end())
  },
  /** Nothing at all, for ever. */
  hang: () => {},
  'hang-in-body': (_request, response) => void response.writeHead(200, half).write('{"a":'),
  page: (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>oops'),
  loop: (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
}

export async function misbehavingServer(): Promise<MisbehavingServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
    const [, what = '', status] = pathname.split('/')
    const retryAfter = searchParams.get('retry-after')
    request.resume()
    if (what !== 'status') return misbehaviour[what]?.(request, response)
    const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) }
    response.writeHead(Number(status), headers).end('{"error":{"message":"as asked"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The address of a port on which nobody listens: it was free a moment ago. */
export async function refusingUrl(): Promise<string> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
