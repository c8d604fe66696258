/** The example service's own functions, with a provider to talk to. */
import { startProvider } from './provider.ts'

const { url } = await startProvider()
// The service reads it when its modules load.
process.env['PAYMENTS_URL'] = url

const { handler: orders } = await import('../../../src/service/orders.ts')
const { handler: ledger } = await import('../../../src/service/ledger.ts')

export { ledger, orders }
