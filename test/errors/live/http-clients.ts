/** The HTTP clients that people use, each as one function that throws as its users see it. */
import { get } from 'node:http'
import { installed } from './optional.ts'

export interface Request {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Throws for a status of 4xx and 5xx only where `statusThrows`. */
export interface Client {
  readonly name: string
  readonly send: (url: string, request: Request) => Promise<unknown>
  readonly statusThrows: boolean
}

/** An imported client: callable, or with these functions. */
type Callable = (url: string, options?: object) => Promise<unknown> & { json(): Promise<unknown> }

const defined = (fields: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const signalOf = ({ signal, timeoutMs }: Request): AbortSignal | undefined =>
  signal ?? (timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs))

const nodeHttp: Client = {
  name: 'node:http',
  statusThrows: false,
  send: (url, { timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const request = get(url, defined({ timeout: timeoutMs, signal, agent: false }), (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()))
          } catch (error) {
            reject(error)
          }
        })
      })
      request.on('timeout', () => request.destroy()).on('error', reject)
    }),
}

const builtIn: Client = {
  name: 'fetch',
  statusThrows: false,
  send: async (url, request) => (await fetch(url, defined({ signal: signalOf(request) }))).json(),
}

/** `fetch` as it is usually written: the answer goes into `cause`. */
const checked: Client = {
  name: 'fetch, checked by hand',
  statusThrows: true,
  send: async (url, request) => {
    const response = await fetch(url, defined({ signal: signalOf(request) }))
    if (!response.ok) throw new Error(`the upstream answered ${response.statusText}`, { cause: response })
    return response.json()
  },
}

/** How each client is called. Retries of their own are off: the queue retries. */
const packages: Readonly<Record<string, (client: Record<string, Callable>) => Omit<Client, 'name'>>> = {
  undici: ({ request }) => ({
    statusThrows: false,
    send: async (url, { timeoutMs, signal }) => {
      const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, signal }
      return ((await request!(url, defined(limits))) as unknown as { body: { json(): Promise<unknown> } }).body.json()
    },
  }),
  axios: ({ default: axios }) => ({
    statusThrows: true,
    send: async (url, { timeoutMs, signal }) => axios!(url, defined({ timeout: timeoutMs, signal, proxy: false })),
  }),
  got: ({ default: got }) => ({
    statusThrows: true,
    send: async (url, { timeoutMs, signal }) =>
      got!(url, defined({ retry: { limit: 0 }, timeout: { request: timeoutMs }, signal })).json(),
  }),
  ky: ({ default: ky }) => ({
    statusThrows: true,
    send: async (url, { timeoutMs, signal }) => ky!(url, defined({ retry: 0, timeout: timeoutMs ?? false, signal })).json(),
  }),
  ofetch: ({ ofetch }) => ({
    statusThrows: true,
    send: async (url, { timeoutMs, signal }) => ofetch!(url, defined({ retry: 0, timeout: timeoutMs, signal })),
  }),
  'node-fetch': ({ default: nodeFetch }) => ({
    statusThrows: false,
    send: async (url, request) => ((await nodeFetch!(url, defined({ signal: signalOf(request) }))) as Response).json(),
  }),
}

/** The clients that are here, and the names of those that are not. */
export async function httpClients(): Promise<{ readonly clients: readonly Client[]; readonly absent: readonly string[] }> {
  const clients: Client[] = [nodeHttp, builtIn, checked]
  const absent: string[] = []
  for (const [name, make] of Object.entries(packages)) {
    const client = await installed<Record<string, Callable>>(name)
    if (client) clients.push({ name, ...make(client) })
    else absent.push(name)
  }
  return { clients, absent }
}
