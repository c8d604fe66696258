/** LocalStack: the last release that is open and needs no token. In Docker where that is there, else as a process of its own. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BedError } from './folders.ts'
import { installed } from './python.ts'
import { run } from './run.ts'
import { type Bed, type Service, serve } from './serve.ts'

const VERSION = '4.14.0'
const IMAGE = `localstack/localstack:${VERSION}`

/** Which way LocalStack runs here. */
export type Way = 'docker' | 'process'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Only the services that a consumer's stack is made of: the others are not loaded. */
const SERVICES = 'sqs,sns,cloudwatch,cloudformation,lambda,dynamodb,iam,sts,s3,logs,ssm,ses'

const shared = {
  SERVICES,
  STRICT_SERVICE_LOADING: '1',
  DISABLE_EVENTS: '1',
  SQS_CLOUDWATCH_METRICS_REPORT_INTERVAL: '2',
  LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC: '0.2',
  LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC: '0.5',
  LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_ERROR_SEC: '1',
  LAMBDA_KEEPALIVE_MS: '60000',
}

/** `REDRIVE_E2E_LOCALSTACK_WAY` (`docker` or `process`), else Docker where its engine answers and has or gets the image. */
export async function localstackWay(): Promise<Way> {
  const asked = process.env['REDRIVE_E2E_LOCALSTACK_WAY']
  if (asked === 'docker' || asked === 'process') return asked
  if (asked) throw new BedError(`REDRIVE_E2E_LOCALSTACK_WAY must be docker or process, not "${asked}".`)
  const ok = async (...parameters: string[]) =>
    (await run('docker', parameters, { timeoutMs: 180_000 }).catch(() => undefined))?.status === 0
  if (!(await ok('info'))) return 'process'
  return (await ok('image', 'inspect', IMAGE)) || (await ok('pull', '--quiet', IMAGE)) ? 'docker' : 'process'
}

/** Installs what LocalStack needs, if it is not there, and says which way it will run. */
export async function installLocalstack(): Promise<Way> {
  const way = await localstackWay()
  if (way === 'process') await localstackPython()
  return way
}

const localstackPython = (): Promise<string> =>
  installed({
    name: 'localstack',
    python: [3, 13],
    requirements: path('./localstack.lock.txt'),
    plugin: path('./localstack-plugin'),
  })

/** Starts LocalStack. */
export async function startLocalstack(): Promise<Bed> {
  return serve((await localstackWay()) === 'docker' ? container() : processOf(await localstackPython()))
}

/** Another emulator on the port answers health checks as well. */
async function isHealthy(endpoint: string): Promise<boolean> {
  const response = await fetch(`${endpoint}/_localstack/health`, { signal: AbortSignal.timeout(2_000) })
  const { version } = (await response.json()) as { version?: string }
  return version === VERSION
}

function processOf(python: string): Service {
  return {
    name: 'localstack',
    isHealthy,
    command: (port, folder) => ({
      command: python,
      parameters: ['-m', 'localstack.runtime.main'],
      env: {
        ...shared,
        PATH: process.env['PATH'] ?? '',
        HOME: join(folder, 'home'),
        TMPDIR: folder,
        FILESYSTEM_ROOT: join(folder, 'files'),
        PYTHONDONTWRITEBYTECODE: '1',
        // Where there is a file /.dockerenv it would take itself for its own image.
        OVERRIDE_IN_DOCKER: '0',
        GATEWAY_LISTEN: `127.0.0.1:${port}`,
        GATEWAY_SERVER: 'twisted_loopback',
        LOCALSTACK_HOST: `127.0.0.1:${port}`,
        DNS_ADDRESS: '0',
        SKIP_SSL_CERT_DOWNLOAD: '1',
        USE_SSL: '0',
        SQS_ENDPOINT_STRATEGY: 'path',
        PROVIDER_OVERRIDE_DYNAMODB: 'moto',
        LAMBDA_RUNTIME_EXECUTOR: 'process',
        LAMBDA_PROCESS_NODE: process.execPath,
      },
    }),
  }
}

/** Queue URLs name LocalStack's own host name, which functions in containers resolve too: hence its own port. */
function container(): Service {
  const name = `redrive-e2e-${process.pid}`
  const socket = '/var/run/docker.sock'
  return {
    name: 'localstack',
    port: 4566,
    container: name,
    isHealthy,
    command: (port) => ({
      command: 'docker',
      parameters: [
        ...['run', '--rm', '--name', name, '--publish', `127.0.0.1:${port}:4566`, '--volume', `${socket}:${socket}`],
        ...Object.entries(shared).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
        IMAGE,
      ],
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    }),
  }
}
